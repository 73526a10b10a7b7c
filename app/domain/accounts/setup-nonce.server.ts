import type { Transaction } from "#db/client.server.ts";
import { siteSettings } from "#db/schema/site-settings.ts";

/**
 * Invalidates the code of the setup page once the site has an operator, however the operator was made. The code stands
 * in logs and would otherwise work again after the last operator is gone.
 */
export async function endSetupCode(transaction: Pick<Transaction, "insert">): Promise<void> {
  const set = { setupNonce: crypto.randomUUID() };
  await transaction.insert(siteSettings).values(set).onConflictDoUpdate({ target: siteSettings.only, set });
}

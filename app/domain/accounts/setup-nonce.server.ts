import type { Transaction } from "#db/client.server.ts";
import { siteSettings } from "#db/schema/site-settings.ts";

/**
 * Makes the code of the setup page useless for ever, whichever way the operator came. It stands in logs, and would otherwise
 * work again once the last operator is gone.
 */
export async function endSetupCode(transaction: Pick<Transaction, "insert">): Promise<void> {
  const set = { setupNonce: crypto.randomUUID() };
  await transaction.insert(siteSettings).values(set).onConflictDoUpdate({ target: siteSettings.only, set });
}

import type { Transaction } from "#db/client.server.ts";
import { siteSettings } from "#db/schema/site-settings.ts";

/**
 * Invalidates the code of the setup page once the site has an operator, however the operator was made. The start prints
 * the code, so logs contain it, and it would work again after the last operator is gone. The noun `setup` derives the
 * code from this nonce (`findSetupCode`).
 */
export async function endSetupCode(transaction: Pick<Transaction, "insert">): Promise<void> {
  const set = { setupNonce: crypto.randomUUID() };
  await transaction.insert(siteSettings).values(set).onConflictDoUpdate({ target: siteSettings.only, set });
}

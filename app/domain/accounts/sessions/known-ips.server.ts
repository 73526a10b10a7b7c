import { createHmac } from "node:crypto";
import { sql } from "drizzle-orm";
import { getSigningSecrets } from "#app/platform/process/secrets.server.ts";
import { days } from "#app/platform/units.ts";
import { db } from "#db/client.server.ts";
import { knownAddresses } from "#db/schema/accounts.ts";

/** `ip`: the address block that the limiter counts. */
export type ClientDevice = { ip: string; userAgent: string | null };

const maxAgeMs = days(180);
/** More networks than a household uses in half a year. A client with many addresses keeps only its newest. */
const maxKnown = 200;

/** Keyed, because a plain hash could be reversed by hashing all IP addresses. */
export const ipHash = ({ ip }: Pick<ClientDevice, "ip">) =>
  createHmac("sha256", getSigningSecrets()[0]).update(`address:${ip}`).digest("hex");

/**
 * Records the IP address of a sign-in. Failed sign-ins of other clients never block an address that is recorded for the
 * account. `isAnother`: the member has signed in before, and only from other addresses.
 */
export async function recordIp(userId: string, client: ClientDevice): Promise<{ isAnother: boolean }> {
  const now = new Date();
  const oldest = new Date(now.getTime() - maxAgeMs).toISOString();
  const hash = ipHash(client);
  // One statement, because each further one makes sign-ins on a busy site slower. `xmax` is 0 in a new row.
  const [row] = await db.execute<{ isAnother: boolean }>(sql`
    with forgotten as (
      delete from ${knownAddresses} old
       where old.user_id = ${userId}::uuid and old.address_hash <> ${hash}
         and (old.last_seen_at < ${oldest}::timestamptz or old.address_hash in (
           select address_hash from ${knownAddresses} where user_id = ${userId}::uuid and address_hash <> ${hash}
           order by last_seen_at desc, address_hash offset ${maxKnown - 1})))
    insert into ${knownAddresses} (user_id, address_hash, last_seen_at)
    values (${userId}::uuid, ${hash}, ${now.toISOString()}::timestamptz)
    on conflict (user_id, address_hash) do update set last_seen_at = excluded.last_seen_at
    returning xmax = 0 and exists (select from ${knownAddresses} known
      where known.user_id = ${userId}::uuid and known.address_hash <> ${hash}) as "isAnother"`);
  return { isAnother: row?.isAnother ?? false };
}

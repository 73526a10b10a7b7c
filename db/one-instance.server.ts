import { connectToHold } from "./client.server.ts";

/**
 * Does nothing if another instance is doing the same work. The lock belongs to a transaction on a separate connection,
 * so it ends with this process.
 */
export async function runOnOneInstance(name: string, work: () => Promise<unknown>): Promise<void> {
  const sql = await connectToHold(name);
  try {
    await sql.begin(async (transaction) => {
      const [row] = await transaction`
        select pg_try_advisory_xact_lock(hashtext('one instance'), hashtext(${name})) as taken`;
      if (row?.taken) await work();
    });
  } finally {
    await sql.end({ timeout: 5 });
  }
}

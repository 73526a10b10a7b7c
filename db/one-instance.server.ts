import { connectToHold } from "./client.server.ts";

/**
 * Does nothing if another instance does the same work now. The lock is that of a transaction on its own connection, so
 * it ends with this process.
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

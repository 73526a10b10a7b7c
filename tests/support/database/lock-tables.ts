/** Locks tables of the site's database, so that queries of them wait. The returned function releases the lock. */
export async function lockTables(tables: string): Promise<() => Promise<void>> {
  const { connectAlone } = await import("#db/client.server.ts");
  const sql = await connectAlone("lock");
  let unlock = () => {};
  const unlocked = new Promise<void>((resolve) => {
    unlock = resolve;
  });
  let ended: Promise<unknown> = Promise.resolve();
  await new Promise<void>((hasLocked) => {
    ended = sql.begin(async (transaction) => {
      await transaction.unsafe("set local statement_timeout = 0; set local lock_timeout = 0");
      await transaction.unsafe(`lock table ${tables} in access exclusive mode`);
      hasLocked();
      await unlocked;
    });
  });
  return async () => {
    unlock();
    await ended;
    await sql.end();
  };
}

import postgres from "postgres";
import { startEmbedded } from "#db/embedded/embedded.server.ts";

/** A process that uses the embedded database. `embedded-database.test.ts` sends it jobs over IPC. */
const reply = (message: object) => process.send?.(message);

const database = await startEmbedded(process.argv[2] ?? "").catch((error: Error) => {
  reply({ trouble: error.message });
  process.exit(1);
});
const sql = postgres({ ...database.connection, max: 4, backoff: () => 0.05, onnotice: () => {} });
await sql`create table if not exists written (number integer primary key)`.catch(() => {});
const [row] = await sql`select pg_postmaster_start_time()::text as started`;
reply({ up: row?.started });

const jobs: Record<string, () => Promise<void>> = {
  /** Inserts rows and reports each one after its commit, until the test kills a process. */
  async write() {
    await sql`truncate written`;
    for (let number = 0; ; number++) {
      await sql`insert into written values (${number})`;
      reply({ acknowledged: number });
    }
  },
  /** Tries again until the database answers, as a visitor reloads a page. */
  async read() {
    const rows = await sql`select number from written order by number`.catch(() => null);
    if (rows) reply({ rows: rows.map(({ number }) => number) });
    else setTimeout(() => jobs.read?.(), 50);
  },
  async stop() {
    await sql.end();
    await database.stop();
    process.disconnect();
  },
};

process.on("message", (job: string) => {
  jobs[job]?.().catch((error: { code?: string }) => reply({ failed: error.code }));
});

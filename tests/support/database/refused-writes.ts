import { sql } from "drizzle-orm";
import { db } from "#db/client.server.ts";

/** Calls `work` while PostgreSQL refuses these writes, such as `insert on titles`, of rows that meet the condition. */
export async function whileRefused(writes: string, condition: string, work: () => Promise<unknown>) {
  await db.execute(
    sql.raw(`
    create function refuse() returns trigger language plpgsql as 'begin raise exception ''refused''; end';
    create trigger refuse before ${writes} for each row when (${condition}) execute function refuse()`),
  );
  try {
    await work();
  } finally {
    await db.execute("drop function refuse cascade");
  }
}

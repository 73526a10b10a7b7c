import { sql } from "drizzle-orm";
import { expect, test } from "vitest";
import { db } from "#db/client.server.ts";

test("the site's own connections have its settings", async () => {
  const rows = await db.execute<{ name: string; setting: string }>(sql`
    select name, setting from pg_settings
    where name in ('statement_timeout', 'random_page_cost', 'max_parallel_workers_per_gather')`);
  expect(Object.fromEntries(rows.map(({ name, setting }) => [name, setting]))).toEqual({
    statement_timeout: "7000",
    random_page_cost: "1.1",
    max_parallel_workers_per_gather: "0",
  });
});

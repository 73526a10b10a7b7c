import { afterEach, beforeAll, expect, test } from "vitest";
import { until } from "#tests/support/checks/wait-until.ts";
import { startFaultyNetwork } from "#tests/support/servers/faulty-network.ts";

/** A network that delays every statement to PostgreSQL, and every answer. */

const direct = process.env.DATABASE_URL!;
const network = await startFaultyNetwork(direct);
process.env.DATABASE_URL = network.url;
const { connectAlone } = await import("#db/client.server.ts");
const { importTitles } = await import("#tests/support/data/import-titles.ts");
const { newMember } = await import("#tests/support/requests/visitor.ts");

const sql = await connectAlone("watching", direct);
const malId = 1;

beforeAll(async () => importTitles([{ mal_id: malId, title: "One" }]));
afterEach(() => network.delay(0));

async function entriesOf({ id }: { id: string }) {
  const rows = await sql<{ mal_id: number }[]>`select mal_id from watch_list where user_id = ${id}`;
  return rows.map((row) => row.mal_id);
}

/** Resolves when no transaction of the site is open. */
const transactionsEnd = () =>
  until(async () => {
    const open = await sql`
      select from pg_stat_activity
      where datname = current_database() and application_name = 'engawa' and backend_xid is not null`;
    return open.length === 0;
  });

test("a change whose statements take too long in total fails, and changes nothing", async () => {
  const member = await newMember();
  const change = () => member.request("/api/user/watchList", { json: { animeId: malId, type: "Watching" } });
  // Every statement is answered in time, but all together take twice as long as a request may wait.
  network.delay(1000);
  const late = await change();
  expect([late.status, await late.json()]).toEqual([500, { error: "Internal server error", status: 500 }]);
  await transactionsEnd();
  expect(await entriesOf(member)).toEqual([]);
  network.delay(0);
  expect((await change()).status).toBe(200);
  expect(await entriesOf(member)).toEqual([malId]);
});

test("an import may take longer, because each of its statements is in time", async () => {
  const member = await newMember();
  network.delay(700);
  const imported = await member.request("/api/user/watchList/import", {
    json: { format: "engawa-list", entries: [{ mal_id: malId, type: "Watching" }] },
  });
  expect(imported.status).toBe(200);
  network.delay(0);
  expect(await entriesOf(member)).toEqual([malId]);
});

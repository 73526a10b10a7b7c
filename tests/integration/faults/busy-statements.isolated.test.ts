import { expect, test } from "vitest";
import { until } from "#tests/support/checks/wait-until.ts";
import { whenFree } from "#tests/support/requests/when-free.ts";

/** PostgreSQL ends a statement that takes too long, or that waits too long for a lock. Clients may try again. */

// With a direct URL, the site leaves the limits to the database, whose limits this test shortens.
process.env.DATABASE_DIRECT_URL = process.env.DATABASE_URL;
process.env.PUBLIC_CACHE = "0";
const { connectAlone, db } = await import("#db/client.server.ts");
const { lockTables } = await import("#tests/support/database/lock-tables.ts");
const { newMember, Visitor } = await import("#tests/support/requests/visitor.ts");

const busy = { error: "Busy, try again shortly", status: 503 };

/** Sets a time limit of PostgreSQL and ends the site's connections, since only new ones read it. */
async function limit(statementMs: number, lockMs: number) {
  const sql = await connectAlone("limits");
  const database = new URL(process.env.DATABASE_URL ?? "").pathname.slice(1);
  await sql.unsafe(`alter database ${database} set statement_timeout = ${statementMs}`);
  await sql.unsafe(`alter database ${database} set lock_timeout = ${lockMs}`);
  await sql.unsafe(`select pg_terminate_backend(pid) from pg_stat_activity
    where datname = current_database() and application_name = 'engawa'`);
  await sql.end();
  await until(() =>
    db.execute("select 1").then(
      () => true,
      () => false,
    ),
  );
}

async function expectBusy(asked: Promise<Response>) {
  const answer = await asked;
  expect([answer.status, answer.headers.get("Retry-After"), answer.headers.get("Cache-Control")]).toEqual([
    503,
    "2",
    "no-store",
  ]);
  return answer;
}

const member = await newMember();
const visitor = new Visitor();

for (const [name, statementMs, lockMs] of [
  ["whose statement exceeds the time limit", 300, 0],
  ["whose statement waits too long for a lock", 0, 300],
] as const) {
  test(`a request ${name} gets 503 in JSON, a page in words, and keeps its session`, async () => {
    await limit(statementMs, lockMs);
    const unlockSessions = await lockTables("sessions");
    const session = await expectBusy(member.request("/api/auth/session"));
    expect(await session.json()).toEqual(busy);
    expect(session.headers.getSetCookie()).toEqual([]);
    await unlockSessions();

    const unlock = await lockTables("titles, catalog_state, watch_list");
    // Both requests wait for one query of the catalog's version, which belongs to neither.
    const listings = [visitor, new Visitor()].map((one) =>
      expectBusy(one.request("/api/animes/full?limit_count=1")),
    );
    for (const listing of await Promise.all(listings)) expect(await listing.json()).toEqual(busy);
    const jikan = await expectBusy(visitor.request("/v4/anime"));
    expect(await jikan.json()).toMatchObject({ type: "ServiceUnavailableException", message: busy.error });
    expect(await (await expectBusy(member.request("/api/user/watchList"))).json()).toEqual(busy);
    const page = await expectBusy(visitor.request("/browse?year=1950"));
    expect(await page.text()).toContain("<h1>The site is busy</h1>");
    const random = await expectBusy(visitor.request("/random"));
    expect(await random.text()).toContain("<h1>The site is busy</h1>");
    await unlock();
    // On a slow machine, a statement that waits for nothing can exceed so short a limit, too.
    expect((await whenFree(() => member.request("/api/user/watchList"))).status).toBe(200);
  });
}

test("a write that meets a lock gets 503 and changes nothing", async () => {
  await limit(300, 0);
  const unlock = await lockTables("search_history");
  const write = () => member.request("/api/user/searchHistory", { json: { query: "porch" } });
  expect(await (await expectBusy(write())).json()).toEqual(busy);
  await unlock();
  const history = await whenFree(() => member.request("/api/user/searchHistory"));
  expect(await history.json()).toMatchObject({ data: [] });
  expect((await whenFree(write)).status).toBeLessThan(300);
});

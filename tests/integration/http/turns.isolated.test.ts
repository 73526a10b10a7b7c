import { afterAll, beforeAll, expect, test, vi } from "vitest";

/** An account or address whose queries hang uses only its own share of the database. */

// The test sends more requests at once than people do.
process.env.RATE_LIMIT_POINTS = "10000";
const { connectAlone } = await import("#db/client.server.ts");
const { lockTables } = await import("#tests/support/database/lock-tables.ts");
const { until } = await import("#tests/support/checks/wait-until.ts");
const { newAddress, origin, request } = await import("#tests/support/site/in-process.ts");
const { sendSlowly } = await import("#tests/support/requests/slow-body.ts");
const { newChild } = await import("#tests/support/requests/household.ts");
const { newMember, openSession, Visitor } = await import("#tests/support/requests/visitor.ts");

const sql = await connectAlone("watching");
afterAll(() => sql.end());

/** The number of the site's connections that wait for a locked table. */
async function hanging() {
  const [row] = await sql<{ count: number }[]>`
    select count(*)::int as count from pg_stat_activity
    where datname = current_database() and wait_event_type = 'Lock'`;
  return row!.count;
}

const other = await newMember();
const searches = () => other.request("/api/user/searchHistory");
beforeAll(async () => expect((await searches()).status).toBe(200));

/** More than the pool, the driver's queues and a query's deadline could hold. */
const flood = 60;

async function statusesOf(asked: readonly Promise<Response>[]) {
  const answers = await Promise.all(asked);
  return new Set(answers.map(({ status }) => status));
}

test("an account with many sessions and addresses delays only itself", async () => {
  const member = await newMember();
  const devices = await Promise.all(
    Array.from({ length: 6 }, async () => {
      const visitor = new Visitor();
      await openSession(visitor, member.id);
      return visitor;
    }),
  );
  const unlock = await lockTables("watch_list");
  const reads = Array.from({ length: flood }, (_, at) => devices[at % 6]!.request("/api/user/watchList"));
  const writes = Array.from({ length: flood }, (_, at) =>
    devices[at % 6]!.request("/api/user/watchList", { method: "DELETE", json: { animeId: at + 1 } }),
  );
  await until(async () => (await hanging()) === 3);
  expect((await searches()).status).toBe(200);
  const json = { query: "someone else's write" };
  expect((await other.request("/api/user/searchHistory", { json })).status).toBe(200);
  expect(await hanging()).toBeLessThanOrEqual(3);
  await unlock();
  const statuses = await statusesOf([...reads, ...writes]);
  // Requests that waited too long were told to retry.
  expect([...statuses].filter((status) => ![200, 500, 503].includes(status))).toEqual([]);
  expect((await devices[0]!.request("/api/user/watchList")).status).toBe(200);
});

test("a write whose body takes a minute to arrive refuses no other account's writes", async () => {
  const json = { query: "slow" };
  const slow = await sendSlowly(await newMember(), "/api/user/searchHistory", { json }, async () => {
    vi.spyOn(performance, "now").mockReturnValue(performance.now() + 60_000);
  });
  vi.restoreAllMocks();
  expect(slow.status).toBe(200);
  const member = await newMember();
  const unlock = await lockTables("watch_list");
  const writes = Array.from({ length: 5 }, (_, at) =>
    member.request("/api/user/watchList", { method: "DELETE", json: { animeId: at + 1 } }),
  );
  await until(async () => (await hanging()) === 3);
  expect((await searches()).status).toBe(200);
  await unlock();
  expect([...(await statusesOf(writes))]).toEqual([200]);
});

test("an address without an account delays only itself", async () => {
  const address = newAddress();
  const unlock = await lockTables("titles");
  const listing = (at: number) => `/api/animes/full?limit_count=1&year_filter=${1900 + at}`;
  const asked = Array.from({ length: flood }, (_, at) => request(listing(at), { address }));
  await until(async () => (await hanging()) === 6);
  expect((await searches()).status).toBe(200);
  await unlock();
  await statusesOf(asked);
});

test.each([
  // The catalog is empty.
  {
    made: "random titles",
    clients: 4,
    table: "titles",
    path: "/api/animes/random",
    method: "GET",
    status: 404,
  },
  {
    made: "codes for devices",
    clients: 2,
    table: "device_codes",
    path: "/api/auth/device",
    method: "POST",
    status: 200,
  },
])(
  "$made are made for $clients clients at a time, however many ask, and for each client alone",
  async ({ clients, table, path, method, status }) => {
    const ask = (address = newAddress()) => request(path, { method, address });
    // The first request for a title stores the number of titles, so that the others wait in one query.
    expect((await ask()).status).toBe(status);
    const unlock = await lockTables(table);
    const address = newAddress();
    const asked = Array.from({ length: 16 }, () => ask(address));
    await until(async () => (await hanging()) === 1);
    expect((await searches()).status).toBe(200);
    expect(await hanging()).toBe(1);
    asked.push(...Array.from({ length: 16 }, () => ask()));
    await until(async () => (await hanging()) === clients);
    expect((await searches()).status).toBe(200);
    expect(await hanging()).toBe(clients);
    await unlock();
    const statuses = await statusesOf(asked);
    expect([...statuses].filter((one) => ![status, 503].includes(one))).toEqual([]);
    expect((await ask()).status).toBe(status);
  },
);

test("pictures of other sites are looked up for a child one at a time", async () => {
  const { child } = await newChild("pg");
  const ask = (at: number) =>
    child.request(`/api/proxy?url=${encodeURIComponent(`https://pictures.invalid/${at}.png`)}`);
  expect((await ask(0)).status).toBe(404);
  const unlock = await lockTables("episodes");
  const asked = Array.from({ length: 16 }, (_, at) => ask(at + 1));
  await until(async () => (await hanging()) > 0);
  for (let reads = 0; reads < 5; reads++) expect((await searches()).status).toBe(200);
  expect(await hanging()).toBe(1);
  await unlock();
  const statuses = await statusesOf(asked);
  expect([...statuses].filter((status) => ![404, 503].includes(status))).toEqual([]);
  expect((await ask(0)).status).toBe(404);
});

test("a member whose session waits too long for the address's share is told to retry, and no error is logged", async () => {
  const member = await newMember();
  const written = vi.spyOn(process.stderr, "write");
  const unlock = await lockTables("titles");
  const listing = (at: number) => `/api/animes/full?limit_count=1&year_filter=${1960 + at}`;
  const asked = Array.from({ length: flood }, (_, at) => request(listing(at), { address: member.address }));
  await until(async () => (await hanging()) === 6);
  let isAnswered = false;
  const answering = member.request("/api/user/searchHistory").finally(() => {
    isAnswered = true;
  });
  // Meanwhile, the database answers other clients, so it is not down.
  while (!isAnswered) expect((await searches()).status).toBe(200);
  const answer = await answering;
  expect([answer.status, answer.headers.get("Retry-After")]).toEqual([503, "2"]);
  await unlock();
  await statusesOf(asked);
  expect(written.mock.calls.map(([line]) => String(line)).filter((line) => line.includes("session"))).toEqual(
    [],
  );
});

test("uploads that never end take no place from the account's other writes", async () => {
  const member = await newMember();
  const bodies: ReadableStreamDefaultController[] = [];
  const uploads = Array.from({ length: 6 }, () => {
    const upload = {
      method: "POST",
      headers: {
        Cookie: member.cookieHeader,
        Origin: origin,
        "Content-Type": "application/json",
        "Content-Length": String(2 * 1024 * 1024),
      },
      body: new ReadableStream({ start: (controller) => void bodies.push(controller) }),
      duplex: "half",
      address: newAddress(),
    };
    return request("/api/user/watchList/import", upload);
  });
  const json = { query: "beside an upload" };
  for (let asked = 0; asked < 3; asked++)
    expect((await member.request("/api/user/searchHistory", { json })).status).toBe(200);
  for (const body of bodies) body.error(new Error("the client has left"));
  await Promise.allSettled(uploads);
});

test("imports of one account, from any number of addresses, leave a place for another account's", async () => {
  const member = await newMember();
  const elsewhere = new Visitor();
  await openSession(elsewhere, member.id);
  const importing = (visitor: InstanceType<typeof Visitor>) =>
    visitor.request("/api/user/watchList/import", {
      json: { format: "engawa-list", version: 1, entries: [{ mal_id: 1, type: "Watching" }] },
    });
  const locking = await connectAlone("lock of a member");
  let own: Promise<Response>[] = [];
  await locking.begin(async (transaction) => {
    // The lock of `lockMember`, on a connection that the site does not count.
    await transaction`select pg_advisory_xact_lock(hashtext('library'), hashtext(${member.id}))`;
    own = [member, elsewhere].map(importing);
    await until(async () => (await hanging()) === 1);
    expect((await importing(other)).status).toBe(200);
  });
  await locking.end();
  expect([...(await statusesOf(own))]).toEqual([200]);
});

test("pages of an address get their answers beside forty exports of its members", async () => {
  const address = newAddress();
  const exporting = await Promise.all(
    Array.from({ length: 40 }, async () => {
      const visitor = new Visitor(address);
      await openSession(visitor, (await newMember()).id);
      return visitor;
    }),
  );
  const reader = new Visitor(address);
  await openSession(reader, (await newMember()).id);
  const unlock = await lockTables("watch_history");
  const exports = exporting.map((visitor) => visitor.request("/api/user/export"));
  await until(async () => (await hanging()) > 1);
  expect((await reader.request("/list")).status).toBe(200);
  expect((await reader.request("/api/user/watchList")).status).toBe(200);
  await unlock();
  const statuses = await statusesOf(exports);
  expect([...statuses].filter((status) => ![200, 500, 503].includes(status))).toEqual([]);
  expect((await exporting[0]!.request("/api/user/export")).status).toBe(200);
});

test("a page of an account over its share says so, and when to retry", async () => {
  const member = await newMember();
  const unlock = await lockTables("watch_list");
  const pages = await Promise.all(
    Array.from({ length: 12 }, async () => {
      const visitor = new Visitor();
      await openSession(visitor, member.id);
      return visitor.request("/list");
    }),
  );
  await unlock();
  const refused = pages.filter(({ status }) => status === 503);
  // Three of the account's requests run at once. The others come from other addresses, and still wait for the account.
  expect(refused.length).toBeGreaterThanOrEqual(9);
  for (const page of refused) {
    expect(page.headers.get("Retry-After")).toBe("2");
    expect(page.headers.get("Content-Type")).toContain("text/html");
  }
  expect((await other.request("/list")).status).toBe(200);
});

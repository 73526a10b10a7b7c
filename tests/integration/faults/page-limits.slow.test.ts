import { afterEach, expect, test, vi } from "vitest";
import { until } from "#tests/support/checks/wait-until.ts";

/** The whole site's pages are limited per client, and by the number that the site can render in time. */

const maxPages = 15;
process.env.RATE_LIMIT_PAGE_POINTS = String(maxPages);
// On a slow machine, a minute could end between two requests of a test.
process.env.RATE_LIMIT_SECONDS = "86400";
process.env.PUBLIC_CACHE = "0";
const { someTitle } = await import("#tests/support/data/database-rows.ts");
const { newAddress, origin, request } = await import("#tests/support/site/in-process.ts");
const { registry } = await import("#app/platform/metrics.server.ts");
const { newMember } = await import("#tests/support/requests/visitor.ts");
const { untilQueriesWait } = await import("#tests/support/database/lock-waits.ts");
const { lockTables } = await import("#tests/support/database/lock-tables.ts");

let unlock = async () => {};
afterEach(() => unlock());

const inShort = async (response: Response) => ({
  status: response.status,
  retryAfter: Number(response.headers.get("Retry-After")),
  cache: response.headers.get("Cache-Control"),
  text: /<h1>(.*?)<\/h1>/.exec(await response.text())?.[1],
});

test("a client over its page limit gets a short 429, with and without .data; other clients and endpoints do not", async () => {
  const address = newAddress();
  for (let page = 0; page < maxPages; page++)
    expect(
      await inShort(await request(page % 2 === 0 ? "/schedule" : "/browse.data", { address })),
    ).toMatchObject({ status: 200 });
  for (const path of ["/schedule", "/browse.data", "/BROWSE/", "/no-such-page"]) {
    const refused = await inShort(await request(path, { address }));
    expect([refused.status, refused.cache, refused.text]).toEqual([429, "no-store", "Too many requests"]);
    expect(refused.retryAfter).toBeGreaterThan(0);
  }
  expect((await request("/browse.data", { address, method: "POST" })).status).toBe(429);
  expect((await request("/api/animes/full?limit_count=1", { address })).status).toBe(200);
  expect((await request("/healthz", { address })).status).toBe(200);
  expect(await inShort(await request("/schedule"))).toMatchObject({ status: 200 });
});

test("pages that cannot be rendered in time get a short 503 while tables are locked, fairly per client, prefetches first", async () => {
  // A page that is not read to its end would still be rendered while the tables are locked.
  for (let page = 0; page < 3; page++)
    expect(await inShort(await request("/browse"))).toMatchObject({ status: 200 });
  unlock = await lockTables("titles, catalog_state");
  let year = 1950;
  const [greedy, other] = [newAddress(), newAddress()];
  const ask = async (address: string, headers = {}) => {
    // A page shown a moment ago would come from memory, without reading the locked tables.
    const response = await request(`/browse?year=${year++}`, { address, headers });
    return inShort(response);
  };
  const pages = Array.from({ length: 12 }, () => ask(greedy));
  const prefetched = await ask(other, { "Sec-Purpose": "prefetch" });
  expect([prefetched.status, prefetched.text]).toEqual([503, "The site is busy"]);
  const fromOther = [ask(other), ask(other)];

  const refused: Awaited<ReturnType<typeof ask>>[] = [];
  for (const page of pages)
    void page.then((answer) => {
      if (answer.status !== 503) return;
      refused.push(answer);
      // On a slow machine some are refused at once. If the others still waited, they would get the unlocked tables in
      // time. The pages that are being rendered must not wait for the tables any longer.
      if (refused.length === 9) void unlock();
    });
  expect((await request("/healthz", { address: greedy })).status).toBe(200);
  await until(() => refused.length >= 9);
  for (const { retryAfter, text } of refused) expect([retryAfter, text]).toEqual([2, "The site is busy"]);
  const statuses = (await Promise.all([...pages, ...fromOther])).map(({ status }) => status);
  // Three requests of the greedy client, and both of the other client.
  expect(statuses.filter((status) => status === 200)).toHaveLength(5);
  expect(statuses.slice(-2)).toEqual([200, 200]);
});

/** The bodies that the site reads. A form whose body is read has a place. */
let bodies: ReadableStreamDefaultController[] = [];
afterEach(() => {
  bodies = [];
});

const formType = { "Content-Type": "application/x-www-form-urlencoded" };
const waitsForContinue = { "Content-Length": "5", Expect: "100-continue" };

function sendSlowly(address: string, headers: Record<string, string>) {
  const body = new ReadableStream({ pull: (body) => void bodies.push(body) }, { highWaterMark: 0 });
  const init = { address, method: "POST", body, headers: { ...formType, ...headers }, duplex: "half" };
  return request("/signin", init);
}

test("forms whose bodies arrive after the server asks for them keep no other form waiting", async () => {
  const addresses = Array.from({ length: 10 }, newAddress);
  const slow = addresses.flatMap((address) =>
    Array.from({ length: 2 }, () => sendSlowly(address, waitsForContinue)),
  );
  await until(() => bodies.length === slow.length);
  const body = new URLSearchParams({ email: "a@b.test", password: "x" }).toString();
  expect((await request("/signin", { method: "POST", body, headers: formType })).status).not.toBe(503);
  for (const body of bodies) body.close();
  await Promise.all(slow);
});

test.each([
  ["longer than 64 KiB", { "Content-Length": "65536" }],
  ["asked for by the server", waitsForContinue],
])("a client has no more places because its forms are %s", async (_name, headers) => {
  const address = newAddress();
  const slow = Array.from({ length: 4 }, () => sendSlowly(address, headers));
  await until(() => bodies.length === slow.length);
  const init = { address, method: "POST", body: "email=", headers: { ...formType, ...headers } };
  expect((await request("/signin", init)).status).toBe(503);
  for (const body of bodies) body.close();
  await Promise.all(slow);
});

test("a form over its client's share of large forms gets a short page that says when to retry", async () => {
  const member = await newMember();
  const form = { intent: "restore", entries: "x".repeat(6 * 1024 * 1024) };
  const send = (path: string) => member.request(path, { form });
  expect((await send("/list")).status).toBe(400);
  expect(await inShort(await send("/list"))).toMatchObject({
    status: 503,
    retryAfter: 2,
    text: "The site is busy",
  });
  expect(await inShort(await send("/list.data"))).toMatchObject({ status: 503, retryAfter: 2 });
});

test("a form that took a minute makes the site refuse no other form at once", async () => {
  const slow = sendSlowly(newAddress(), waitsForContinue);
  await until(() => bodies.length === 1);
  vi.spyOn(performance, "now").mockReturnValue(performance.now() + 60_000);
  for (const body of bodies) body.close();
  await slow;
  vi.restoreAllMocks();
  const address = newAddress();
  const placed = Array.from({ length: 4 }, () => sendSlowly(address, waitsForContinue));
  await until(() => bodies.length === 1 + placed.length);
  const init = { address, method: "POST", body: "email=", headers: { ...formType, ...waitsForContinue } };
  let answer: Response | undefined;
  const waiting = request("/signin", init).then((response) => {
    answer = response;
  });
  await until(
    async () => answer !== undefined || (await registry.metrics()).includes("engawa_pages_waiting 1\n"),
  );
  expect(answer).toBeUndefined();
  for (const body of bodies.slice(1)) body.close();
  await Promise.all([...placed, waiting]);
});

test("imports that wait for others keep no form of their address waiting", async () => {
  const address = newAddress();
  const send = (path: string, body: string, headers: Record<string, string>) =>
    request(path, { address, method: "POST", body, headers: { Origin: origin, ...headers } });
  const members = await Promise.all(Array.from({ length: 4 }, () => newMember()));
  const entries = [{ mal_id: await someTitle(), type: "Watching" }];
  const file = JSON.stringify({ format: "engawa-list", version: 1, entries });
  const parts = ['name="intent"\r\n\r\nimport', `name="file"; filename="list.json"\r\n\r\n${file}`];
  const form = parts.map((part) => `--b\r\nContent-Disposition: form-data; ${part}\r\n`).join("");
  unlock = await lockTables("watch_list");
  const imports = members.map(({ cookieHeader: Cookie }) =>
    send("/list/import", `${form}--b--\r\n`, { Cookie, "Content-Type": "multipart/form-data; boundary=b" }),
  );
  await untilQueriesWait();
  expect((await send("/signin", "email=", formType)).status).not.toBe(503);
  await unlock();
  for (const { status } of await Promise.all(imports)) expect(status).toBe(200);
});

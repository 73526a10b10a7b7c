import { expect, test } from "vitest";

/** `/api/user/*` and the forms of pages count requests by address and by account. */

process.env.RATE_LIMIT_POINTS = "2";
// On a slow machine, a minute could end between the requests of a test.
process.env.RATE_LIMIT_SECONDS = "86400";
const maxRequests = 12;
const { newAddress } = await import("#tests/support/site/in-process.ts");
const { lockTables } = await import("#tests/support/database/lock-tables.ts");
const { dataOf } = await import("#tests/support/requests/response-data.ts");
const { newMember, openSession, Visitor } = await import("#tests/support/requests/visitor.ts");

const statusesUpToLimit = async (ask: (at: number) => Promise<Response>) => {
  const statuses: number[] = [];
  for (let at = 0; at < maxRequests; at++) statuses.push((await ask(at)).status);
  return statuses;
};
const list = "/api/user/watchList";
const allAllowed = Array(maxRequests).fill(200);

test("an account has one limit across all its addresses and sessions, and other accounts have theirs", async () => {
  const member = await newMember();
  const devices = [member, new Visitor(), new Visitor()];
  for (const device of devices.slice(1)) await openSession(device, member.id);
  const device = (at: number) => devices[at % devices.length]!;
  expect(await statusesUpToLimit((at) => device(at).request(list))).toEqual(allAllowed);

  const refused = await device(0).request(list);
  expect([refused.status, await refused.json()]).toEqual([
    429,
    { error: "Too many requests", status: 429, retryAfter: expect.any(Number) },
  ]);
  expect(refused.headers.get("X-RateLimit-Limit")).toBe(String(maxRequests));
  expect(refused.headers.get("Retry-After")).not.toBeNull();
  // The equivalent forms of pages share this budget.
  const page = await member.request("/list", { form: {} });
  const text = await page.text();
  expect([page.status, text]).toEqual([429, expect.stringContaining("<h1>Too many requests</h1>")]);
  // A page with scripts costs the site much more.
  expect(text).not.toContain("<script");
  expect((await (await newMember()).request(list)).status).toBe(200);
});

test("once an account is refused, the further requests of its session are refused without a query", async () => {
  const member = await newMember();
  expect(await statusesUpToLimit(() => member.request(list))).toEqual(allAllowed);
  const askElsewhere = () => new Visitor().request(list, { headers: { Cookie: member.cookieHeader } });
  const refused = await askElsewhere();
  const unlock = await lockTables("sessions");
  try {
    const again = await askElsewhere();
    const told = ({ status, headers }: Response) => [status, headers.get("X-RateLimit-Remaining")];
    expect([told(refused), told(again)]).toEqual([
      [429, "0"],
      [429, "0"],
    ]);
  } finally {
    await unlock();
  }
});

test("a session is not refused for a token that is sent beside it", async () => {
  const member = await newMember();
  const other = await newMember();
  const { token } = await dataOf<{ token: string }>(
    other.request("/api/auth/tokens", { json: { name: "Bot", scope: "read" } }),
    201,
  );
  const headers = { Authorization: `Bearer ${token}`, Cookie: member.cookieHeader };
  const ask = (path: string) => new Visitor().request(path, { headers });
  await statusesUpToLimit(() => ask(list));
  expect((await ask(list)).status).toBe(429);
  // Only the session counts here.
  expect((await ask("/api/user/profiles")).status).toBe(200);
});

test("the form for a visitor's preferences counts for a member's account too, from all its addresses", async () => {
  const member = await newMember();
  const other = new Visitor();
  await openSession(other, member.id);
  const devices = [member, other];
  const save = (at: number) => devices[at % 2]!.request("/visitor", { form: { theme: "dark" } });
  expect(await statusesUpToLimit(save)).toEqual(Array(maxRequests).fill(303));
  expect([(await save(0)).status, (await save(1)).status]).toEqual([429, 429]);
  expect((await new Visitor().request("/visitor", { form: { theme: "dark" } })).status).toBe(303);
});

test("an address has one limit for all its accounts, which counts before the session is read", async () => {
  const address = newAddress();
  const members = await Promise.all([newMember(), newMember()]);
  const here = members.map((member) => {
    const visitor = new Visitor(address);
    visitor.keep([...member.cookies].map(([name, value]) => `${name}=${value}`));
    return visitor;
  });
  expect(await statusesUpToLimit((at) => here[at % 2]!.request(list))).toEqual(allAllowed);
  expect((await here[0]!.request(list)).status).toBe(429);
  expect((await new Visitor(address).request(list)).status).toBe(429);
  expect((await members[0].request(list)).status).toBe(200);
});

test("the headers show the remainder of whichever limit is nearer", async () => {
  const member = await newMember();
  const left = async () => (await member.request(list)).headers.get("X-RateLimit-Remaining");
  expect([await left(), await left()]).toEqual(["11", "10"]);
  const elsewhere = new Visitor();
  await openSession(elsewhere, member.id);
  // The account's third request, though the first from this address.
  expect((await elsewhere.request(list)).headers.get("X-RateLimit-Remaining")).toBe("9");
});

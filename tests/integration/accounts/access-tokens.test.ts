import { eq } from "drizzle-orm";
import { beforeAll, describe, expect, test } from "vitest";
import { db } from "#db/client.server.ts";
import { accessTokens, users } from "#db/schema/accounts.ts";
import { titles } from "#db/schema/catalog.ts";
import { episodes } from "#db/schema/episodes.ts";
import { newMember, type Visitor } from "#tests/support/requests/visitor.ts";
import { whenFree } from "#tests/support/requests/when-free.ts";
import { request } from "#tests/support/site/in-process.ts";

type Token = { id: string; name: string; scope: string; token: string; last_used_at: string | null };
const create = async (member: Visitor, json: unknown = { name: "Script", scope: "write" }) =>
  ((await (await member.request("/api/auth/tokens", { json })).json()) as { data: Token }).data;
const list = async (member: Visitor) =>
  ((await (await member.request("/api/auth/tokens")).json()) as { data: Token[] }).data;

test("a new token is shown once, and neither the list nor the database holds it", async () => {
  const member = await newMember();
  const response = await member.request("/api/auth/tokens", { json: { name: " Script ", scope: "read" } });
  expect(response.status).toBe(201);
  const { data } = (await response.json()) as { data: Token };
  expect(data).toMatchObject({ name: "Script", scope: "read", last_used_at: null });
  expect(data.token).toMatch(/^engawa_[A-Za-z0-9_-]{43}$/);
  const [listed, ...more] = await list(member);
  expect(more).toEqual([]);
  expect(Object.keys(listed ?? {}).sort()).toEqual(["created_at", "id", "last_used_at", "name", "scope"]);
  const [row] = await db.select().from(accessTokens).where(eq(accessTokens.id, data.id));
  expect(JSON.stringify(row)).not.toContain(data.token.slice(7));
});

test("a member can revoke their own token, and another member cannot", async () => {
  const [member, other] = [await newMember(), await newMember()];
  const { id } = await create(member);
  await other.request("/api/auth/tokens", { method: "DELETE", json: { id } });
  expect(await list(member)).toHaveLength(1);
  expect((await member.request("/api/auth/tokens", { method: "DELETE", json: { id } })).status).toBe(200);
  expect(await list(member)).toEqual([]);
});

test("a token gets 401 from the endpoints for tokens and sessions", async () => {
  const { token } = await create(await newMember());
  const headers = { Authorization: `Bearer ${token}` };
  for (const path of ["/api/auth/tokens", "/api/auth/sessions"])
    expect((await request(path, { headers })).status, path).toBe(401);
});

test.each([
  {},
  { name: "", scope: "read" },
  { name: "   ", scope: "read" },
  { name: "x", scope: "admin" },
  { name: "x".repeat(101), scope: "read" },
  { name: ["x"], scope: "read" },
  { name: "a\0b", scope: "read" },
  null,
  [],
])("creating a token with %j gets 400", async (json) => {
  const member = await newMember();
  const response = await member.request("/api/auth/tokens", { json });
  expect(response.status).toBe(400);
  expect(await response.json()).toMatchObject({ status: 400, issues: expect.any(Array) });
  expect(await list(member)).toEqual([]);
});

const searches = "/api/user/searchHistory";
const bearer = (token: string) => ({ Authorization: `Bearer ${token}` });
const recordSearch = (headers: Record<string, string>) =>
  request(searches, {
    method: "POST",
    body: JSON.stringify({ query: "k-on" }),
    headers: { "Content-Type": "application/json", ...headers },
  });

test("a read token gets 403 for a write, a write token gets 200, and the list shows when each was used", async () => {
  const member = await newMember();
  const [reads, writes] = [await create(member, { name: "R", scope: "read" }), await create(member)];
  expect((await request(searches, { headers: bearer(reads.token) })).status).toBe(200);
  const refused = await recordSearch(bearer(reads.token));
  expect(refused.status).toBe(403);
  expect(await refused.json()).toEqual({ error: "This token may only read", status: 403 });
  expect((await recordSearch(bearer(writes.token))).status).toBe(200);
  expect((await list(member)).every((token) => token.last_used_at !== null)).toBe(true);
});

test("a bad token gets 401, also beside a valid session cookie", async () => {
  const member = await newMember();
  const { id, token } = await create(member);
  await member.request("/api/auth/tokens", { method: "DELETE", json: { id } });
  for (const bad of [token, `${token}x`, token.slice(0, -1), "engawa_", "", "x".repeat(5000)])
    expect((await member.request(searches, { headers: bearer(bad) })).status, bad).toBe(401);
  expect((await member.request(searches)).status).toBe(200);
});

test("a token of a disabled account gets 401", async () => {
  const member = await newMember();
  const { token } = await create(member);
  await db.update(users).set({ disabled: true }).where(eq(users.id, member.id));
  expect((await request(searches, { headers: bearer(token) })).status).toBe(401);
});

test("of 60 creations, 40 of them at once, 50 get 201 and the others 409, and revoking one makes room for one", async () => {
  const member = await newMember();
  const createMany = (count: number) =>
    Promise.all(
      Array.from({ length: count }, (_, index) =>
        whenFree(() =>
          member.request("/api/auth/tokens", { json: { name: `Script ${index}`, scope: "read" } }),
        ),
      ),
    );
  // One client may have fifty requests with bodies in progress at once.
  const answers = [...(await createMany(20)), ...(await createMany(40))];
  const statuses = answers.map(({ status }) => status).sort();
  expect(statuses).toEqual([...Array(50).fill(201), ...Array(10).fill(409)]);
  const tokens = await list(member);
  expect(tokens).toHaveLength(50);
  await member.request("/api/auth/tokens", { method: "DELETE", json: { id: tokens[0]?.id } });
  expect((await create(member)).token).toMatch(/^engawa_/);
});

describe("a token on the catalog", () => {
  const [plain, mature] = [9501, 9502];
  beforeAll(async () => {
    await db.insert(titles).values([
      { malId: plain, title: "For everybody", titleKey: "for everybody" },
      { malId: mature, title: "For adults", titleKey: "for adults", rating: "rx" },
    ]);
    await db.insert(episodes).values([
      { malId: plain, number: 1 },
      { malId: mature, number: 1 },
    ]);
  });
  const paths = (id: number) => [
    `/api/animes/getAnime?id=${id}`,
    `/api/episodes?id=${id}`,
    `/api/episodes/getEpisode?mal_id=${id}&ep=1`,
  ];
  const tokenOf = async (fields: Partial<typeof users.$inferInsert>) => {
    const member = await newMember();
    await db.update(users).set(fields).where(eq(users.id, member.id));
    return bearer((await create(member, { name: "Script", scope: "read" })).token);
  };
  const off = "&parental_control=false";

  test("with the member's parental control on, parental_control=false shows no mature title", async () => {
    const headers = await tokenOf({ parentalControl: true });
    for (const path of paths(mature)) {
      expect((await request(path + off)).status, path).toBe(200);
      expect((await request(path + off, { headers })).status, path).toBe(403);
    }
    const listed = await request(`/api/animes/full?search_query=adults${off}`, { headers });
    expect(await listed.json()).toMatchObject({ meta: { total_items: 0 } });
  });

  test("with the member's parental control off, parental_control=false shows it, except to a minor", async () => {
    const adult = await tokenOf({ parentalControl: false });
    const minor = await tokenOf({
      parentalControl: false,
      birthday: `${new Date().getFullYear() - 12}-01-01`,
    });
    for (const path of paths(mature)) {
      expect((await request(path + off, { headers: adult })).status, path).toBe(200);
      expect((await request(path, { headers: adult })).status, path).toBe(403);
      expect((await request(path + off, { headers: minor })).status, path).toBe(403);
    }
  });

  test("every answer is private and comes from no cache, and a visitor's answer stays public", async () => {
    const headers = await tokenOf({ parentalControl: false });
    const all = ["/api/animes/full?limit_count=1", "/api/animes/suggest?q=every", ...paths(plain)];
    for (const path of all)
      for (const query of ["", off]) {
        const visited = await request(path + query);
        expect(visited.headers.get("Cache-Control"), path).toMatch(/^public, /);
        const answer = await request(path + query, { headers });
        expect([answer.status, answer.headers.get("Cache-Control")], path).toEqual([
          200,
          "private, no-store",
        ]);
      }
  });

  test("a wrong token gets 401, also beside a session cookie", async () => {
    const member = await newMember();
    for (const path of ["/api/animes/full", "/api/animes/random", "/api/animes/suggest?q=a", ...paths(plain)])
      for (const query of ["", off.replace("&", path.includes("?") ? "&" : "?")])
        expect((await member.request(path + query, { headers: bearer("engawa_x") })).status, path).toBe(401);
  });
});

import { eq } from "drizzle-orm";
import { expect, it } from "vitest";
import { db } from "#db/client.server.ts";
import { accessTokens, users } from "#db/schema/accounts.ts";
import { newMember, type Visitor } from "#tests/support/requests/visitor.ts";
import { request } from "#tests/support/site/in-process.ts";

type Token = { id: string; name: string; scope: string; token: string; last_used_at: string | null };
const create = async (member: Visitor, json: unknown = { name: "Script", scope: "write" }) =>
  ((await (await member.request("/api/auth/tokens", { json })).json()) as { data: Token }).data;
const list = async (member: Visitor) =>
  ((await (await member.request("/api/auth/tokens")).json()) as { data: Token[] }).data;

it("a new token is shown once, and neither the list nor the database holds it", async () => {
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

it("a member can revoke their own token, and another member cannot", async () => {
  const [member, other] = [await newMember(), await newMember()];
  const { id } = await create(member);
  await other.request("/api/auth/tokens", { method: "DELETE", json: { id } });
  expect(await list(member)).toHaveLength(1);
  expect((await member.request("/api/auth/tokens", { method: "DELETE", json: { id } })).status).toBe(200);
  expect(await list(member)).toEqual([]);
});

it("a token gets 401 from the endpoints for tokens and sessions", async () => {
  const { token } = await create(await newMember());
  const headers = { Authorization: `Bearer ${token}` };
  for (const path of ["/api/auth/tokens", "/api/auth/sessions"])
    expect((await request(path, { headers })).status, path).toBe(401);
});

it.each([
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

it("a read token gets 403 for a write, a write token gets 200, and the list shows when each was used", async () => {
  const member = await newMember();
  const [reads, writes] = [await create(member, { name: "R", scope: "read" }), await create(member)];
  expect((await request(searches, { headers: bearer(reads.token) })).status).toBe(200);
  const refused = await recordSearch(bearer(reads.token));
  expect(refused.status).toBe(403);
  expect(await refused.json()).toEqual({ error: "This token may only read", status: 403 });
  expect((await recordSearch(bearer(writes.token))).status).toBe(200);
  expect((await list(member)).every((token) => token.last_used_at !== null)).toBe(true);
});

it("a bad token gets 401, also beside a valid session cookie", async () => {
  const member = await newMember();
  const { id, token } = await create(member);
  await member.request("/api/auth/tokens", { method: "DELETE", json: { id } });
  for (const bad of [token, `${token}x`, token.slice(0, -1), "engawa_", "", "x".repeat(5000)])
    expect((await member.request(searches, { headers: bearer(bad) })).status, bad).toBe(401);
  expect((await member.request(searches)).status).toBe(200);
});

it("a token of a disabled account gets 401", async () => {
  const member = await newMember();
  const { token } = await create(member);
  await db.update(users).set({ disabled: true }).where(eq(users.id, member.id));
  expect((await request(searches, { headers: bearer(token) })).status).toBe(401);
});

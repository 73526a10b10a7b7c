import { eq } from "drizzle-orm";
import { expect, it } from "vitest";
import { db } from "#db/client.server.ts";
import { accessTokens } from "#db/schema/accounts.ts";
import { request } from "#tests/support/app.ts";
import { newMember, type Visitor } from "#tests/support/visitor.ts";

type Token = { id: string; name: string; scope: string; token: string; last_used_at: string | null };
const create = async (member: Visitor, json: unknown = { name: "Script", scope: "write" }) =>
  ((await (await member.request("/api/auth/tokens", { json })).json()) as { data: Token }).data;
const list = async (member: Visitor) =>
  ((await (await member.request("/api/auth/tokens")).json()) as { data: Token[] }).data;

it("shows a token once, and keeps its hash", async () => {
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

it("revokes only one's own", async () => {
  const [mio, ritsu] = [await newMember(), await newMember()];
  const { id } = await create(mio);
  await ritsu.request("/api/auth/tokens", { method: "DELETE", json: { id } });
  expect(await list(mio)).toHaveLength(1);
  expect((await mio.request("/api/auth/tokens", { method: "DELETE", json: { id } })).status).toBe(200);
  expect(await list(mio)).toEqual([]);
});

it("never stands for a session where passwords, tokens and sessions are changed", async () => {
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
])("refuses %j", async (json) => {
  const member = await newMember();
  const response = await member.request("/api/auth/tokens", { json });
  expect(response.status).toBe(400);
  expect(await response.json()).toMatchObject({ status: 400, issues: expect.any(Array) });
  expect(await list(member)).toEqual([]);
});

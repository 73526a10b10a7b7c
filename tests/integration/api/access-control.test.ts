import { eq } from "drizzle-orm";
import { expect, test } from "vitest";
import { deleteSessions } from "#app/domain/accounts/accounts.server.ts";
import { db, withTransaction } from "#db/client.server.ts";
import { users } from "#db/schema/accounts.ts";
import { type ApiDocument, isGuarded, operationsOf } from "#tests/support/checks/api-document.ts";
import { someTitle } from "#tests/support/data/database-rows.ts";
import { untilQueriesWait } from "#tests/support/database/lock-waits.ts";
import { dataOf, refusalOf } from "#tests/support/requests/response-data.ts";
import { sendSlowly } from "#tests/support/requests/slow-body.ts";
import { newMember } from "#tests/support/requests/visitor.ts";
import { origin, request } from "#tests/support/site/in-process.ts";

/**
 * Every operation of members checks who sends it, and what (specification, section 5).
 * `openapi.isolated.test.ts` compares the same refusals with their declarations.
 */
const document = (await (await request("/api/openapi.json")).json()) as ApiDocument;
/** Visitors may use these, except where the operation requires a session. Every other operation is a member's. */
const openPaths =
  /^\/(?:api\/(?:animes|auth|catalog|episodes|hooks|openapi\.json|proxy|videoProxy)|captions|film|healthz|ipfs|media|play|poster|readyz|signed)(?:\/|$)/;
/** The specification spells the path in both ways. */
const spellingsOf = (path: string) =>
  path.startsWith("/api/user/watchList") ? [path, path.replace("watchList", "watchlist")] : [path];
const operations = operationsOf(document)
  .filter((one) => isGuarded(one) || !openPaths.test(one.path))
  .flatMap((one) => spellingsOf(one.path).map((path) => ({ ...one, path })));
const calls = operations.map(({ method, path }) => [method, path] as const);
const endpoints = [...new Set(operations.map(({ path }) => path))].map(
  (path) => [path, calls.filter(([, other]) => other === path).map(([method]) => method)] as const,
);
/** An access token cannot be used for what would take over the account, or take it along. */
const sessionOnly = new Set([
  "/api/auth/password",
  "/api/auth/sessions",
  "/api/auth/tokens",
  "/api/user/account",
  "/api/user/export",
  "/api/user/import",
  "/api/user/profiles",
  "/api/user/profiles/switch",
]);
/** Uploaded files are larger, and of other types. */
const takesJson = operations.filter(({ described }) => {
  const types = Object.keys(described.requestBody?.content ?? {});
  return types.includes("application/json") && types.every((type) => /\/json$|urlencoded$/.test(type));
});
const takesNoBody = operations.filter(
  ({ method, described }) => method !== "GET" && described.requestBody === undefined,
);
const member = await newMember();
const json = { "Content-Type": "application/json" };
const bodyOf = (method: string) => (method === "GET" ? {} : { headers: json, body: "{}" });

test.each(calls)("%s %s without a valid session gets 401", async (method, path) => {
  expect(await refusalOf(request(path, { method, ...bodyOf(method) }))).toEqual({
    error: "Unauthorized",
    status: 401,
  });
  const forged = { ...json, Cookie: "engawa-session=forged.signature" };
  expect((await request(path, { method, ...bodyOf(method), headers: forged })).status).toBe(401);
});

test.each(calls.filter(([method]) => method !== "GET"))(
  "%s %s from another site gets 403",
  async (method, path) => {
    const headers = { ...json, Origin: "https://evil.example" };
    expect((await refusalOf(member.request(path, { method, headers, body: "{}" }))).status).toBe(403);
  },
);

test.each(endpoints)(
  "%s answers another method with 405, HEAD like GET, and OPTIONS with 204",
  async (path, own) => {
    const reads = own.includes("GET");
    const response = await member.request(path, { method: "PATCH", headers: json, body: "{}" });
    expect([response.status, (await response.json()) as unknown]).toEqual([
      405,
      { error: "Method not allowed", status: 405 },
    ]);
    expect(response.headers.get("Allow")).toContain(own[0]);
    expect((await member.request(path, { method: "HEAD" })).status).toBe(reads ? 200 : 405);
    expect((await request(path, { method: "OPTIONS", headers: { Origin: origin } })).status).toBe(204);
  },
);

test.each(takesJson)(
  "$method $path gets 415 for a body that is not JSON, 400 for malformed or deep JSON and 413 for too much",
  async ({ method, path }) => {
    const other = await refusalOf(
      member.request(path, { method, headers: { "Content-Type": "text/css" }, body: "{}" }),
    );
    expect(other).toMatchObject({ status: 415, error: expect.stringContaining("application/json") });
    const malformed = member.request(path, { method, headers: json, body: '{"a":' });
    expect((await refusalOf(malformed)).status).toBe(400);
    const large = JSON.stringify({ notes: "x".repeat(300_000) });
    expect((await refusalOf(member.request(path, { method, headers: json, body: large }))).status).toBe(413);
    const deep = "[".repeat(100_000) + "]".repeat(100_000);
    expect((await refusalOf(member.request(path, { method, headers: json, body: deep }))).status).toBe(400);
  },
);

test.each([...takesJson, ...takesNoBody])(
  "$method $path gets 401 if the session ends before the body has arrived",
  async ({ method, path }) => {
    const late = await newMember();
    const sent = { method, json: {}, isAskedFor: true };
    const answer = await sendSlowly(late, path, sent, () => deleteSessions(late.id, {}, db));
    expect(answer.status).toBe(401);
  },
);

test("a read token may only read, a write token may write too, and neither may do what needs a session", async () => {
  const token = async (scope: string) =>
    (
      await dataOf<{ token: string }>(
        member.request("/api/auth/tokens", { json: { name: scope, scope } }),
        201,
      )
    ).token;
  const tokens = { read: await token("read"), write: await token("write") };
  for (const [method, path] of calls) {
    const call = (scope: keyof typeof tokens) =>
      request(path, {
        method,
        ...bodyOf(method),
        headers: { ...(method !== "GET" && json), Authorization: `Bearer ${tokens[scope]}` },
      });
    const [reading, writing] = [(await call("read")).status, (await call("write")).status];
    if (sessionOnly.has(path)) expect([reading, writing], path).toEqual([401, 401]);
    else if (method === "GET") expect([reading, writing], path).toEqual([200, 200]);
    else expect([reading, writing === 401 || writing === 403], `${method} ${path}`).toEqual([403, false]);
  }
});

test.each([
  ["POST", "/api/user/watchList", { type: "Watching" }],
  ["PUT", "/api/user/progress", { ep: 1, position: 1, duration: 100 }],
  ["POST", "/api/auth/tokens", { name: "Player", scope: "read" }],
  ["POST", "/api/user/searchHistory", { query: "porch" }],
])("%s %s while its account is being deleted gets 401", async (method, path, about) => {
  const [leaving, mal_id] = [await newMember(), await someTitle()];
  const body = JSON.stringify({ mal_id, ...about });
  const { writing } = await withTransaction(async (deletion) => {
    await deletion.delete(users).where(eq(users.id, leaving.id));
    const writing = refusalOf(leaving.request(path, { method, headers: json, body }));
    await untilQueriesWait();
    return { writing };
  });
  expect(await writing).toEqual({ error: "Unauthorized", status: 401 });
});

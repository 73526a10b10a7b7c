import { afterAll, beforeAll, describe, expect, test } from "vitest";
import {
  type ApiDocument,
  expectDeclared,
  isGuarded,
  type ListedOperation,
  operationsOf,
} from "#tests/support/checks/api-document.ts";
import { sendRaw } from "#tests/support/requests/raw-http.ts";
import { startFaultyNetwork } from "#tests/support/servers/faulty-network.ts";

/** Provokes 500, 503 and 408 at the operations of /api/openapi.json, and compares each answer with the declaration. */

const network = await startFaultyNetwork(process.env.DATABASE_URL!);
process.env.DATABASE_URL = network.url;
process.env.LOG_LEVEL = "error";
process.env.RATE_LIMIT_POINTS = "1000";
const { commandLine } = await import("#app/domain/events/events.server.ts");
const { makeHookSecret } = await import("#app/domain/scanning/scanning.server.ts");
const { addReadinessCheck } = await import("#app/http/server/health.server.ts");
const { createWriteCheck } = await import("#db/write-check.server.ts");
const { until } = await import("#tests/support/checks/wait-until.ts");
const { goodPassword } = await import("#tests/support/data/good-password.ts");
const { newSecretFor } = await import("#tests/support/data/mailed-token.ts");
const { newMember, Visitor } = await import("#tests/support/requests/visitor.ts");
const { listen } = await import("#tests/support/site/on-port.ts");

const document = (await (await new Visitor().request("/api/openapi.json")).json()) as ApiDocument;
const operations = operationsOf(document);
const called = (call: string) => operations.find((one) => one.call === call) as ListedOperation;
const member = await newMember();
const madeHook = await makeHookSecret("slow", commandLine);
const hookSecret = madeHook.ok ? madeHook.value.secret : "";

describe("while the database is away", () => {
  beforeAll(() => network.refuse(true));
  afterAll(async () => {
    network.refuse(false);
    await until(async () => (await new Visitor().request("/readyz")).status === 200);
  });

  test.each(operations.filter(isGuarded))("$method $path answers the 500 that it declares", (operation) =>
    expectDeclared(operation, member.request(operation.path, { method: operation.method }), 500),
  );

  const account = { username: "Nobody", email: "nobody@example.org", password: goodPassword };
  const secret = "x".repeat(43);
  test.each<[call: string, query: string, json?: unknown]>([
    ["GET /api/auth/session", ""],
    ["POST /api/auth/signup", "", account],
    ["POST /api/auth/signin", "", { email: account.email, password: goodPassword }],
    ["POST /api/auth/reset/confirm", "", { token: secret, password: goodPassword }],
    ["POST /api/auth/verify", "", { token: secret }],
    ["GET /api/animes/full", "?limit_count=1"],
    ["GET /api/animes/getAnime", "?id=1"],
    ["GET /api/animes/random", ""],
    ["GET /api/animes/suggest", "?q=porch"],
    ["GET /api/episodes", "?id=1"],
    ["GET /api/episodes/getEpisode", "?mal_id=1&ep=1"],
  ])("%s answers the 500 that it declares", async (call, query, json) => {
    const { path, method } = called(call);
    const init = { method, ...(json !== undefined && { json }) };
    await expectDeclared(called(call), member.request(path + query, init), 500);
  });

  // A starting process does the same.
  addReadinessCheck("database", createWriteCheck().check);
  test("GET /readyz answers the 503 that it declares", () =>
    expectDeclared(called("GET /readyz"), new Visitor().request("/readyz"), 503));
});

test.each(["POST /api/user/watchList/import", "POST /api/user/import"])(
  "%s answers the 503 that it declares when too many files arrive at once",
  async (call) => {
    // Reading the file takes many times as long as receiving it, so the others arrive while the first ones are read.
    const entries = Array.from({ length: 20_000 }, (_, malId) => ({ malId }));
    const file = JSON.stringify({ entries, format: "engawa-list" });
    const headers = { "Content-Type": "application/json" };
    // An account sends three files at a time, and an address has one import running and four waiting.
    const members = await Promise.all(Array.from({ length: 4 }, () => newMember()));
    const answers = await Promise.all(
      Array.from({ length: 10 }, () =>
        members.map((one) => one.request(called(call).path, { method: "POST", body: file, headers })),
      ).flat(),
    );
    const refused = answers.filter(({ status }) => status === 503);
    expect(refused.length).toBeGreaterThan(0);
    for (const answer of refused) await expectDeclared(called(call), answer, 503);
  },
);

describe("a body that never arrives", async () => {
  const { port } = await listen({ bodyDeadline: { maxSilenceMs: 150 } });

  async function announceBody({ path, method, described }: ListedOperation): Promise<Response> {
    const [type = ""] = Object.keys(described.requestBody?.content ?? {});
    const head = [
      `${method} ${path.replace("{secret}", hookSecret)} HTTP/1.1`,
      "Host: localhost:3000",
      "Origin: http://localhost:3000",
      `Cookie: ${member.cookieHeader}`,
      // A hook reads no body without its secret.
      ...(path.startsWith("/api/hooks/") ? [`Authorization: Basic ${btoa(`x:${hookSecret}`)}`] : []),
      `Content-Type: ${type.replace("/*", "/png")}`,
      "Content-Length: 10",
    ];
    const [answered = "", ...body] = (await sendRaw(port, `${head.join("\r\n")}\r\n\r\n`)).split("\r\n\r\n");
    const [start = "", ...lines] = answered.split("\r\n");
    const headers = lines.map((line): [string, string] => [
      line.slice(0, line.indexOf(":")),
      line.slice(line.indexOf(":") + 1).trim(),
    ]);
    return new Response(body.join(""), { status: Number(start.split(" ")[1]), headers });
  }

  test.concurrent.each(operations.filter(({ described }) => 408 in described.responses))(
    "at $method $path gets the 408 that it declares",
    (operation) => expectDeclared(operation, announceBody(operation), 408),
  );
});

test("a reset link can be confirmed once the database is back", async () => {
  const token = await newSecretFor(member, "reset");
  const json = { token, password: "Another1!x" };
  expect((await new Visitor().request("/api/auth/reset/confirm", { json })).status).toBe(200);
});

import { once } from "node:events";
import { type IncomingMessage, request as sendRequest } from "node:http";
import { Redis } from "ioredis";
import { afterAll, beforeAll, expect, test } from "vitest";
import { newDatabase } from "#tests/support/database/new-database.ts";
import { type Member, signUpAt } from "#tests/support/requests/session-member.ts";
import { startRedis } from "#tests/support/servers/redis.ts";
import { startSite } from "#tests/support/site/site-process.ts";

/** An account has one export at a time. Two instances with one Redis enforce this with a lease there. */

const redis = await startRedis();
const settings = {
  DATABASE_URL: await newDatabase(),
  SESSION_SECRET: "the same for both ".repeat(3),
  RATE_LIMIT_POINTS: "1000000",
};
const withRedis = { ...settings, REDIS_URL: redis.url };
const one = await startSite(withRedis);
const other = await startSite(withRedis);
const alone = await startSite(settings);
const client = new Redis(redis.url).on("error", () => {});
afterAll(() => client.disconnect());

type Site = typeof one;
let member: Member;

beforeAll(async () => {
  member = await signUpAt(one.origin, "exporter@example.org");
  // JSON writes each of these characters as six, which makes the export longer than all buffers of a connection.
  const notes = "\u0001".repeat(10_000);
  const entries = (await listTitles(one)).map((mal_id) => ({ mal_id, type: "Watching", notes }));
  const file = { format: "engawa-list", entries };
  const imported = await fetch(`${one.origin}/api/user/watchList/import`, {
    method: "POST",
    body: JSON.stringify(file),
    headers: { Cookie: member.cookie, Origin: one.origin, "Content-Type": "application/json" },
  });
  expect(imported.status).toBe(200);
});

async function listTitles({ origin }: Site): Promise<number[]> {
  const pages = await Promise.all(
    [1, 2, 3, 4].map(async (page) => {
      const answer = await fetch(`${origin}/api/animes/full?limit_count=100&page_number=${page}`);
      return ((await answer.json()) as { data: { mal_id: number }[] }).data;
    }),
  );
  return pages.flat().map(({ mal_id }) => mal_id);
}

/** Begins an export without reading its answer. */
async function beginExport({ origin }: Site) {
  const request = sendRequest(`${origin}/api/user/export`, {
    agent: false,
    headers: { Cookie: member.cookie },
  }).end();
  const [response] = (await once(request, "response")) as [IncomingMessage];
  response.on("error", () => {});
  return response;
}

const listLeases = () => client.keys("engawa:hold:*");

/** Begins an export, and again if Redis has no lease of it: on a slow machine Redis can answer an instance too late. */
async function beginSharedExport() {
  let running: IncomingMessage | undefined;
  const begin = async () => {
    running?.destroy();
    running = await beginExport(one);
    return [running.statusCode, (await listLeases()).length];
  };
  await expect.poll(begin, patient).toEqual([200, 1]);
  return running;
}

const askForExport = async ({ origin }: Site) => {
  const answer = await fetch(`${origin}/api/user/export`, { headers: { Cookie: member.cookie } });
  await answer.arrayBuffer();
  return { status: answer.status, mayRetry: answer.headers.has("Retry-After") };
};
const refused = { status: 503, mayRetry: true };
const sent = { status: 200, mayRetry: false };
/** A lease that Redis did not delete in time expires after a minute. */
const patient = { timeout: 120_000 };

test("while one instance sends an account's export, the other refuses a second one until the first has ended", async () => {
  const running = await beginSharedExport();
  expect(await askForExport(one)).toEqual(refused);
  await expect.poll(() => askForExport(other)).toEqual(refused);
  // Without Redis, each instance decides alone.
  expect(await askForExport(alone)).toEqual(sent);
  running?.destroy();
  await expect.poll(() => askForExport(other), patient).toEqual(sent);
  // An instance returns the lease to Redis after its answer has ended.
  await expect.poll(() => askForExport(one), patient).toEqual(sent);
});

test("an export that dies with its instance blocks the next one only until its lease expires, within a minute", async () => {
  await beginSharedExport();
  one.process.kill("SIGKILL");
  await once(one.process, "close");
  await expect.poll(() => askForExport(other)).toEqual(refused);
  const leases = await listLeases();
  expect(leases).toHaveLength(1);
  const [lease = ""] = leases;
  const left = await client.pttl(lease);
  expect(left).toBeGreaterThan(0);
  expect(left).toBeLessThanOrEqual(60_000);
  // Redis ends the lease now instead of after the minute.
  await client.pexpire(lease, 1);
  await expect.poll(() => askForExport(other), patient).toEqual(sent);
});

test("while Redis does not answer, each instance decides alone", async () => {
  await redis.stop();
  const running = await beginExport(other);
  expect(running.statusCode).toBe(200);
  expect(await askForExport(other)).toEqual(refused);
  running.destroy();
  await expect.poll(() => askForExport(other), patient).toEqual(sent);
});

import { readdirSync } from "node:fs";
import postgres from "postgres";
import sharp from "sharp";
import { expect, test } from "vitest";
import { startFaultyNetwork } from "#tests/support/faulty-network.ts";
import { transportStream } from "#tests/support/films.ts";
import { startPostgres } from "#tests/support/postgres.ts";
import { residentMiB } from "#tests/support/resident.ts";
import { until } from "#tests/support/settled.ts";
import { startSite } from "#tests/support/site.ts";
import { keepAsking } from "#tests/support/steady-load.ts";
import { password, signUpAt } from "#tests/support/two-instances.ts";
import { startUpstream } from "#tests/support/upstream.ts";

/** The database goes away in mid-load, in four ways, under one process that must outlive them all. */

const role = "site";
const server = await startPostgres();
const admin = postgres(server.url, { max: 1, onnotice: () => {}, backoff: () => 0.1 });
await admin.unsafe(`create role ${role} login`);
await admin.unsafe(`create database ${role} owner ${role}`);
const address = new URL(server.url);
Object.assign(address, { username: role, pathname: `/${role}` });
const network = await startFaultyNetwork(address.href);

const png = await sharp({ create: { width: 64, height: 64, channels: 3, background: "#306090" } })
  .png()
  .toBuffer();
const upstream = await startUpstream((asked, response) => {
  const isFilm = asked.url?.startsWith("/film");
  response
    .writeHead(200, { "content-type": isFilm ? "video/mp2t" : "image/png" })
    .end(isFilm ? transportStream(10) : png);
});

const site = await startSite(
  {
    DATABASE_URL: network.url,
    SESSION_SECRET: "through thick and thin ".repeat(2),
    ALLOW_PRIVATE_UPSTREAMS: "127.0.0.1",
    RATE_LIMIT_POINTS: "1000000",
    METRICS_PORT: "0",
  },
  { isQuiet: true },
);
const member = await signUpAt(site.origin, "steadfast@example.org");
// Signing in so often would push the first session out.
const other = await signUpAt(site.origin, "returning@example.org");
const asset = readdirSync("build/client/assets").find((name) => name.endsWith(".js"));

const get = (path: string) => fetch(`${site.origin}${path}`);
const through = (proxy: string, path: string) =>
  get(`/api/${proxy}?url=${encodeURIComponent(upstream.origin + path)}`);

/** What each answers while the database is there, and while it is not. */
const kinds = {
  listing: {
    ask: (number: number) => get(`/api/animes/full?limit_count=3&page=${1 + (number % 100)}&year=${number}`),
    well: 200,
    down: '500 {"error":{"message":"Internal server error","type":"database","statusCode":500}}',
  },
  stranger: {
    ask: () => get("/api/user/watchList"),
    well: 401,
    down: '401 {"error":"Unauthorized","status":401}',
  },
  member: {
    ask: () => member.ask(`${site.origin}/api/user/watchList`),
    well: 200,
    down: '500 {"error":"An internal server error occurred","status":500}',
  },
  signIn: {
    ask: () =>
      fetch(`${site.origin}/api/auth/signin`, {
        method: "POST",
        headers: { "Content-Type": "application/json" },
        body: JSON.stringify({ email: other.email, password }),
      }),
    well: 200,
    down: '500 {"error":"Internal server error","status":500}',
  },
  readiness: {
    ask: () => get("/readyz"),
    well: 200,
    down: '503 {"status":"not ready","reasons":["database"]}',
  },
  page: { ask: (number: number) => get(`/browse?year=${number}`), well: 200, down: "500 <!DOCTYPE html>" },
  picture: { ask: (number: number) => through("proxy", `/${number}.png`), well: 200, down: "200" },
  film: { ask: (number: number) => through("videoProxy", `/film-${number}.ts`), well: 200, down: "200" },
  file: { ask: () => get(`/assets/${asset}`), well: 200, down: "200" },
  health: { ask: () => get("/healthz"), well: 200, down: '200 {"status":"ok"}' },
};
type Kind = keyof typeof kinds;
const names = Object.keys(kinds) as Kind[];
const unaffected: Kind[] = ["picture", "film", "file", "health", "stranger"];

type Seen = { kind: Kind; from: number; to: number; status: number; answer: string; cookies: string[] };
const seen: Seen[] = [];
const load = keepAsking(25, async (number) => {
  const kind = names[number % names.length]!;
  const from = performance.now();
  const response = await kinds[kind].ask(number);
  const { status } = response;
  const text = await response.text();
  seen.push({
    kind,
    from,
    to: performance.now(),
    status,
    answer: `${status} ${text}`,
    cookies: response.headers.getSetCookie(),
  });
  return status;
});

/** All that began and ended within. */
const between = (from: number, to: number) => seen.filter((one) => one.from >= from && one.to <= to);
const isEveryKindThere = (ones: Seen[], times: number) =>
  names.every((name) => ones.filter(({ kind }) => kind === name).length >= times);
/** The latest answer is as it should be, to a question that came later than that. */
const isWell = (kind: Kind, since: number) =>
  between(since, Infinity).findLast((one) => one.kind === kind)?.status === kinds[kind].well;
async function measured(name: string) {
  const address = site.logged.find(({ message }) => message === "metrics")?.address;
  const text = await (await fetch(`${address}/metrics`)).text();
  return Number(new RegExp(`^${name} (.*)$`, "m").exec(text)?.[1]);
}

/** Waits for their end: until then they would still answer. */
const terminateAll = () =>
  admin`select pg_terminate_backend(pid, 10000) from pg_stat_activity where usename = ${role}`;

const faults: Record<string, { begin(): unknown; end(): unknown }> = {
  stopped: {
    begin: () => Promise.all([server.stop(), network.leave(true)]),
    end: () => Promise.all([server.start(), network.leave(false)]),
  },
  "killed behind a proxy that takes connections all the same": {
    begin: () => server.stop("SIGQUIT"),
    end: () => server.start(),
  },
  silent: { begin: () => network.swallow(true), end: () => network.swallow(false) },
  resetting: { begin: () => network.refuse(true), end: () => network.refuse(false) },
  "out of connections": {
    begin: async () => {
      await admin.unsafe(`alter role ${role} connection limit 0`);
      await terminateAll();
    },
    end: () => admin.unsafe(`alter role ${role} connection limit -1`),
  },
};

// A few seconds of work, so that what is measured is not the warming up.
await until(() => isEveryKindThere(seen, 12));
const before = residentMiB(site);

test.each(Object.keys(faults))("%s: what is prescribed, and all is well within ten seconds", async (name) => {
  const { begin, end } = faults[name]!;
  const settledAt = performance.now();
  await until(() => isEveryKindThere(between(settledAt, Infinity), 3));
  expect(between(settledAt, Infinity).filter(({ kind, status }) => status !== kinds[kind].well)).toEqual([]);

  await begin();
  const from = performance.now();
  await until(() => isEveryKindThere(between(from, Infinity), 3));
  const during = between(from, performance.now());
  expect(during.filter(({ kind, answer }) => !answer.startsWith(kinds[kind].down))).toEqual([]);
  expect(during.filter(({ kind, cookies }) => kind === "member" && cookies.length > 0)).toEqual([]);
  const slow = during.filter(({ kind, from, to }) => unaffected.includes(kind) && to - from > 2000);
  expect(slow).toEqual([]);

  await end();
  const mended = performance.now();
  await expect.poll(() => names.every((kind) => isWell(kind, mended))).toBe(true);
});

test("no rejection was left unhandled, no request without an answer, and memory is as it was", async () => {
  const asked = await load.stop();
  expect(asked.filter(({ status }) => status === undefined)).toEqual([]);
  expect(site.process.exitCode).toBeNull();
  expect(site.logged.filter(({ message }) => /unhandled|uncaught/.test(message ?? ""))).toEqual([]);
  await expect.poll(async () => await measured("engawa_database_queries_waiting")).toBe(0);
  expect(residentMiB(site) - before).toBeLessThan(128);
  await admin.end();
});

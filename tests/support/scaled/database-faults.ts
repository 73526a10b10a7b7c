import { readdirSync } from "node:fs";
import postgres from "postgres";
import { afterAll, expect, test } from "vitest";
import { until } from "#tests/support/checks/wait-until.ts";
import { transportStream } from "#tests/support/data/film-bytes.ts";
import { goodPassword } from "#tests/support/data/good-password.ts";
import { plainPng } from "#tests/support/data/plain-picture.ts";
import { startPostgres } from "#tests/support/database/postgres.ts";
import { signUpAt } from "#tests/support/requests/session-member.ts";
import { startSteadyLoad } from "#tests/support/requests/steady-load.ts";
import { startFaultyNetwork } from "#tests/support/servers/faulty-network.ts";
import { startUpstream } from "#tests/support/servers/upstream.ts";
import { startSite } from "#tests/support/site/site-process.ts";

/** The database fails under load in several ways. One process must survive all of them. */

const role = "site";
const server = await startPostgres();
const admin = postgres(server.url, { max: 1, onnotice: () => {}, backoff: () => 0.1 });
await admin.unsafe(`create role ${role} login`);
await admin.unsafe(`create database ${role} owner ${role}`);
const roleUrl = new URL(server.url);
Object.assign(roleUrl, { username: role, pathname: `/${role}` });
const network = await startFaultyNetwork(roleUrl.href);

const png = await plainPng(64, 64, "#306090");
const upstream = await startUpstream((request, response) => {
  const isFilm = request.url?.startsWith("/film");
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
    RATE_LIMIT_IMAGE_SECONDS: "86400",
    METRICS_PORT: "0",
  },
  { isQuiet: true },
);
const member = await signUpAt(site.origin, "steadfast@example.org");
// A second account signs in, because so many sign-ins of one account would end its oldest sessions.
const other = await signUpAt(site.origin, "returning@example.org");
const asset = readdirSync("build/client/assets").find((name) => name.endsWith(".js"));

const get = (path: string) => fetch(`${site.origin}${path}`);
const titles = (await (await get("/api/animes/full?limit_count=20")).json()) as {
  data: { mal_id: number }[];
};
const through = (proxy: string, path: string) =>
  get(`/api/${proxy}?url=${encodeURIComponent(upstream.origin + path)}`);

/** The answer to each kind of request while the database works (`well`) and while it does not (`down`). */
const kinds = {
  listing: {
    ask: (number: number) => get(`/api/animes/full?limit_count=3&page=${1 + (number % 100)}&year=${number}`),
    well: 200,
    down: '500 {"error":{"message":"Internal server error","type":"database","statusCode":500}}',
  },
  visitor: {
    ask: () => get("/api/user/watchList"),
    well: 401,
    down: '401 {"error":"Unauthorized","status":401}',
  },
  member: {
    ask: () => member.ask(`${site.origin}/api/user/watchList`),
    well: 200,
    down: '500 {"error":"An internal server error occurred","status":500}',
  },
  write: {
    ask: (number: number) =>
      member.ask(`${site.origin}/api/user/watchList`, {
        animeId: titles.data[number % titles.data.length]?.mal_id,
        type: "Watching",
      }),
    well: 200,
    down: '500 {"error":"An internal server error occurred","status":500}',
  },
  signIn: {
    ask: () =>
      fetch(`${site.origin}/api/auth/signin`, {
        method: "POST",
        headers: { "Content-Type": "application/json" },
        body: JSON.stringify({ email: other.email, password: goodPassword }),
      }),
    well: 200,
    down: '500 {"error":"Internal server error","status":500}',
  },
  readiness: {
    ask: () => get("/readyz"),
    well: 200,
    down: '503 {"status":"not ready","reasons":["database"]}',
  },
  // This title was not requested before, so it is not in memory.
  page: {
    ask: (number: number) => get(`/search?q=kaze+${number}`),
    well: 200,
    down: "500 <!DOCTYPE html>",
  },
  picture: { ask: (number: number) => through("proxy", `/${number}.png`), well: 200, down: "200" },
  film: { ask: (number: number) => through("videoProxy", `/film-${number}.ts`), well: 200, down: "200" },
  file: { ask: () => get(`/assets/${asset}`), well: 200, down: "200" },
  health: { ask: () => get("/healthz"), well: 200, down: '200 {"status":"ok"}' },
};
type Kind = keyof typeof kinds;

/** Requests that wait for the database take all places, so later ones are told to retry. */
const isBusy = ({ answer }: Seen) => /^503 .*(?:The site is busy|Busy, try again shortly)/s.test(answer);
const isDefined = (one: Seen) => one.answer.startsWith(kinds[one.kind].down) || isBusy(one);
const kindNames = Object.keys(kinds) as Kind[];

type Seen = { kind: Kind; from: number; to: number; status: number; answer: string; cookies: string[] };
const seen: Seen[] = [];
const load = startSteadyLoad(
  25,
  async (number) => {
    const kind = kindNames[number % kindNames.length]!;
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
  },
  { atOnce: 30 },
);

afterAll(() => load.stop());

/** The requests that began and ended between the two times. */
const between = (from: number, to: number) => seen.filter((one) => one.from >= from && one.to <= to);
const isEveryKindThere = (ones: Seen[]) =>
  kindNames.every((name) => ones.filter(({ kind }) => kind === name).length >= 3);
/**
 * True if each kind has got its normal answer to a request that began after `since`. A machine that is busy with other
 * programs refuses some requests of this load at any time, and answers some too late.
 */
const isEveryKindWell = (since: number) => {
  const later = between(since, Infinity);
  return kindNames.every((name) =>
    later.some(({ kind, status }) => kind === name && status === kinds[name].well),
  );
};
async function metric(name: string) {
  const metricsUrl = site.logged.find(({ message }) => message === "metrics")?.address;
  const text = await (await fetch(`${metricsUrl}/metrics`)).text();
  return Number(new RegExp(`^${name} (.*)$`, "m").exec(text)?.[1]);
}

/** Waits until the connections have ended, because they still answer until then. */
const terminateAll = () =>
  admin`select pg_terminate_backend(pid, 10000) from pg_stat_activity where usename = ${role}`;

const faults = {
  stopped: {
    begin: () => Promise.all([server.stop(), network.leave(true)]),
    end: () => Promise.all([server.start(), network.leave(false)]),
  },
  "killed behind a proxy that still accepts connections": {
    begin: () => server.stop("SIGQUIT"),
    end: () => server.start(),
  },
  silent: { begin: () => network.swallow(true), end: () => network.swallow(false) },
  "silent while a member's write holds the member's row": {
    begin: () => network.swallowAfter('insert into "watch_list"'),
    end: () => network.swallow(false),
  },
  "silent in its answers alone": {
    begin: () => network.swallowAnswers(true),
    end: () => network.swallowAnswers(false),
  },
  resetting: { begin: () => network.refuse(true), end: () => network.refuse(false) },
  "out of connections": {
    begin: async () => {
      await admin.unsafe(`alter role ${role} connection limit 0`);
      await terminateAll();
    },
    end: () => admin.unsafe(`alter role ${role} connection limit -1`),
  },
};

await until(() => isEveryKindThere(seen));

export function testNoRoom() {
  test("while the database has no room for a new table, /readyz says so; with room again, it is ready", async () => {
    const superuserUrl = new URL(server.url);
    superuserUrl.pathname = `/${role}`;
    const superuser = postgres(superuserUrl.href, { max: 1 });
    await superuser.unsafe(`
      create function refuse() returns event_trigger language plpgsql as
        $$ begin raise exception 'no space left on device' using errcode = '53100'; end $$;
      create event trigger full_disk on ddl_command_start execute function refuse()`);
    const isReady = async () => (await get("/readyz")).status === 200;
    await expect.poll(isReady).toBe(false);
    await superuser.unsafe("drop event trigger full_disk");
    await expect.poll(isReady).toBe(true);
    await superuser.end();
  });
}

/** These faults one after the other, and what the process has to say after all of them. */
export function testDatabaseFaults(names: readonly (keyof typeof faults)[]) {
  test.each(names)(
    "while the database is %s, every request gets its defined answer; once it returns, the normal one",
    async (name) => {
      const { begin, end } = faults[name];
      const settledAt = performance.now();
      await until(() => isEveryKindWell(settledAt));

      await begin();
      const from = performance.now();
      await until(() => isEveryKindThere(between(from, Infinity)));
      const during = between(from, performance.now());
      expect(during.filter((one) => !isDefined(one))).toEqual([]);
      expect(during.filter(({ kind, cookies }) => kind === "member" && cookies.length > 0)).toEqual([]);

      await end();
      const endedAt = performance.now();
      await until(() => isEveryKindWell(endedAt));
    },
  );

  test("after all faults, every request was answered and no rejection was unhandled", async () => {
    const outcomes = await load.stop();
    expect(outcomes.filter(({ status }) => status === undefined)).toEqual([]);
    expect(site.process.exitCode).toBeNull();
    expect(site.logged.filter(({ message }) => /unhandled|uncaught/.test(message ?? ""))).toEqual([]);
    await expect.poll(async () => await metric("engawa_database_queries_waiting")).toBe(0);
    await admin.end();
  });
}

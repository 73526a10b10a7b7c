import { setTimeout as pause } from "node:timers/promises";
import { expect, test } from "vitest";
import { figure } from "#tests/load/figures.ts";
import { until } from "#tests/support/checks/wait-until.ts";
import { startPostgres } from "#tests/support/database/postgres.ts";
import { type Member, signUpAt } from "#tests/support/requests/session-member.ts";
import { startFaultyNetwork } from "#tests/support/servers/faulty-network.ts";
import { startPgbouncer } from "#tests/support/servers/pgbouncer.ts";
import { startSite } from "#tests/support/site/site-process.ts";

/**
 * Members change their lists continuously while the network between the site and PostgreSQL fails. The figures are the
 * time from the end of the fault to the first successful change of each member, and the slowest answer.
 */

const memberCount = 8;
const faultMs = 15_000;

async function startParts({ isPooled }: { isPooled: boolean }) {
  const server = await startPostgres();
  const network = await startFaultyNetwork(server.url);
  if (!isPooled) return { server, network, settings: { DATABASE_URL: network.url } };
  const pooler = await startPgbouncer(network.url);
  const front = await startFaultyNetwork(pooler.url);
  return {
    server,
    network,
    front,
    settings: { DATABASE_URL: front.url, DATABASE_DIRECT_URL: server.url },
  };
}

async function startMembers(settings: Record<string, string>) {
  const site = await startSite(
    { ...settings, SESSION_SECRET: "through thick and thin ".repeat(2), RATE_LIMIT_POINTS: "1000000" },
    { isQuiet: true },
  );
  const listing = await fetch(`${site.origin}/api/animes/full?limit_count=20`);
  const { data: titles } = (await listing.json()) as { data: { mal_id: number }[] };
  const members: Member[] = [];
  for (let at = 0; at < memberCount; at++)
    members.push(await signUpAt(site.origin, `member-${at}@example.org`));
  const writes = members.map((): Write[] => []);
  const stopping = new AbortController();
  const writing = members.map(async (member, at) => {
    for (let round = 0; !stopping.signal.aborted; round++) {
      const from = performance.now();
      const answer = await member.ask(`${site.origin}/api/user/watchList`, {
        animeId: titles[round % titles.length]?.mal_id,
        type: "Watching",
      });
      await answer.text();
      writes[at]?.push({ from, to: performance.now(), isWell: answer.status === 200, status: answer.status });
      await pause(100);
    }
  });
  return {
    writes,
    async stop() {
      stopping.abort();
      await Promise.all(writing);
      await site.stop();
    },
  };
}

type Write = { from: number; to: number; isWell: boolean; status: number };

const direct = await startParts({ isPooled: false });
const pooled = await startParts({ isPooled: true });
const insertsEntry = 'insert into "watch_list"';

type Fault = { begin(): unknown; end(): unknown; lastsMs?: number };
const faults: Record<string, Fault> = {
  silence: {
    begin: () => direct.network.swallow(true),
    end: () => direct.network.swallow(false),
  },
  "silence within a write": {
    begin: () => direct.network.swallowAfter(insertsEntry),
    end: () => direct.network.swallow(false),
  },
  "silence of half a second within a write": {
    begin: () => direct.network.swallowAfter(insertsEntry),
    end: () => direct.network.swallow(false),
    lastsMs: 500,
  },
  "half-open, answers lost": {
    begin: () => direct.network.swallowAnswers(true),
    end: () => direct.network.swallowAnswers(false),
  },
  resets: {
    begin: () => direct.network.refuse(true),
    end: () => direct.network.refuse(false),
  },
  "two seconds of delay": {
    begin: () => direct.network.delay(1000),
    end: () => direct.network.delay(0),
  },
  "failover within a write": {
    begin: async () => {
      await direct.network.swallowAfter(insertsEntry);
      await direct.server.stop("SIGQUIT");
    },
    end: async () => {
      await direct.server.start();
      direct.network.swallow(false);
    },
  },
};
const pooledFaults: Record<string, Fault> = {
  "PgBouncer, silence before it within a write": {
    begin: () => pooled.front?.swallowAfter(insertsEntry),
    end: () => pooled.front?.swallow(false),
  },
  "PgBouncer, silence behind it within a write": {
    begin: () => pooled.network.swallowAfter(insertsEntry),
    end: () => pooled.network.swallow(false),
  },
};

async function measure(name: string, { begin, end, lastsMs = faultMs }: Fault, writes: Write[][]) {
  const settledAt = performance.now();
  const hasWritten = (own: Write[], since: number) => own.some(({ to, isWell }) => isWell && to > since);
  await until(() => writes.every((own) => hasWritten(own, settledAt)));
  await begin();
  const from = performance.now();
  await pause(lastsMs);
  await end();
  const returnedAt = performance.now();
  await until(() => writes.every((own) => hasWritten(own, returnedAt)));
  const firsts = writes.map(
    (own) => own.find(({ to, isWell }) => isWell && to > returnedAt)?.to ?? Number.NaN,
  );
  // A write that begins after the fault and fails counts as well.
  await pause(faultMs);
  const since = writes.flat().filter((one) => one.to > from);
  const lateFailures = since.filter(({ from, isWell }) => !isWell && from > returnedAt);
  const inSeconds = (ms: number) => ms / 1000;
  const test = "network-faults";
  figure(
    test,
    `${name}: first write of the quickest member`,
    inSeconds(Math.min(...firsts) - returnedAt),
    "s",
  );
  figure(
    test,
    `${name}: first write of the slowest member`,
    inSeconds(Math.max(...firsts) - returnedAt),
    "s",
  );
  figure(
    test,
    `${name}: last failed write began`,
    inSeconds(Math.max(returnedAt, ...lateFailures.map(({ from }) => from)) - returnedAt),
    "s",
  );
  figure(
    test,
    `${name}: slowest answer`,
    inSeconds(Math.max(...since.map(({ from, to }) => to - from))),
    "s",
  );
  // All members share one address. Some of its writes can wait too long for its share of the database's connections.
  expect(since.filter(({ status }) => ![200, 500, 503].includes(status))).toEqual([]);
}

test("members write again after each fault of the network to PostgreSQL", async () => {
  const { writes, stop } = await startMembers(direct.settings);
  for (const [name, fault] of Object.entries(faults)) await measure(name, fault, writes);
  await stop();
});

test("members write again after each fault of the network before and behind PgBouncer", async () => {
  const { writes, stop } = await startMembers(pooled.settings);
  for (const [name, fault] of Object.entries(pooledFaults)) await measure(name, fault, writes);
  await stop();
});

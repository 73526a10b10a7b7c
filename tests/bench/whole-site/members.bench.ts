import { request } from "node:http";
import { resolve } from "node:path";
import type { Bench, Row } from "#tests/bench/bench.ts";
import { importGenerated } from "#tests/bench/data/generated-catalog.ts";
import { median, quantile } from "#tests/bench/measuring/median.ts";
import { startSite } from "#tests/bench/measuring/servers.ts";
import { signUpAt } from "#tests/support/requests/session-member.ts";
import { startSteadyLoad } from "#tests/support/requests/steady-load.ts";
import { temporaryFolder } from "#tests/support/setup/temporary-folder.ts";

/**
 * Measures pages of members. With `BEFORE=FOLDER`, the built site in that folder is the baseline and is measured in
 * turns with this one. Goals: three times the rate from before members shared cached parts, and p99 within 200 ms.
 */

const memberCount = 100;
const entriesEach = 40;
const titles = 21_000;
/** The number of pages that the site renders for one address at the same time, so that none is refused. */
const connections = 4;
const roundMs = 4000;
const rounds = 5;
const steady = { perSecond: 30, seconds: 20 };

const kinds = [
  ["home", () => "/"],
  ["browse", (number: number) => (number % 3 === 0 ? "/browse?genre=action" : "/browse")],
  ["title", (number: number) => `/anime/${1 + (number % 30)}`],
  ["list", () => "/list"],
  ["watch", (number: number) => `/watch/${1 + (number % 30)}/1`],
] as const;

/** Each member requests all kinds of pages one after another. */
const inTurns = (number: number) => {
  const [, pathOf] = kinds[Math.floor(number / memberCount) % kinds.length] ?? kinds[0];
  return pathOf(number);
};

type Site = Awaited<ReturnType<typeof prepare>>;

const bench: Bench = {
  title: `Pages of ${memberCount} members with ${entriesEach} entries each, ${titles.toLocaleString("en")} titles`,
  async run() {
    const sites = [await prepare(".")];
    if (process.env.BEFORE) sites.unshift(await prepare(process.env.BEFORE));
    console.error("measuring");
    const rows: Row[] = [];
    // The first pages make the servers load their code.
    for (const { read } of sites) for (const [, pathOf] of kinds) await read(0, pathOf(0));
    for (const [kind, pathOf] of kinds) rows.push(...(await rates(sites, kind, pathOf)));
    rows.push(...(await rates(sites, "all in turns", inTurns)));
    rows.push(...(await rates(sites, "… and a report of the player every ten pages", inTurns, 10)));
    for (const site of sites) rows.push(...(await readSteadily(site)));
    for (const { stop } of sites) await stop();
    return rows;
  },
};
export default bench;

async function prepare(folder: string) {
  const dataDir = temporaryFolder("bench-members");
  const site = await startSite({ DATA_DIR: dataDir }, resolve(folder));
  await importGenerated(dataDir, titles, folder);
  const cookies: string[] = [];
  for (let from = 0; from < memberCount; from += 4)
    cookies.push(...(await Promise.all([0, 1, 2, 3].map((at) => newMember(site.origin, from + at)))));
  const paths = new Map<string, string>();
  const read = async (number: number, path: string) => {
    const cookie = cookies[number % cookies.length] ?? "";
    const { status, location } = await get(site.origin + (paths.get(path) ?? path), cookie);
    if (location === undefined) return status;
    // The URL with the title's name in it.
    paths.set(path, location);
    return (await get(site.origin + location, cookie)).status;
  };
  /** Sends the player's report of the playback position, which changes the member's home page. */
  const play = async (number: number) => {
    const report = { mal_id: 1 + (number % 600), ep: 1, position: 60 + (number % 100), duration: 1400 };
    await send(`${site.origin}/api/user/progress`, report, cookies[number % cookies.length], "PUT");
  };
  return {
    name: folder === "." ? "now" : "before",
    read,
    play,
    cpuSeconds: () => site.totalCpuSeconds(),
    stop: site.stop,
  };
}

async function newMember(origin: string, number: number) {
  const { cookie } = await signUpAt(origin, `reader-${number}@example.org`);
  const types = ["Watching", "Completed", "To Watch", "Collection"];
  // Adds the entries one by one, because the compared builds may accept different list files.
  for (let at = 0; at < entriesEach; at++)
    await send(
      `${origin}/api/user/watchList`,
      {
        animeId: 1 + ((number * 7 + at * 11) % 600),
        type: types[at % types.length],
        score: 1 + (at % 10),
      },
      cookie,
    );
  return cookie;
}

const send = async (url: string, json: unknown, cookie = "", method = "POST") => {
  const answer = await fetch(url, {
    method,
    headers: { "Content-Type": "application/json", ...(cookie && { Cookie: cookie }) },
    body: JSON.stringify(json),
  });
  if (!answer.ok) throw new Error(`${url} answered ${answer.status}: ${await answer.text()}`);
  return answer;
};

/** Requests over a plain socket: on the same processors, `fetch` takes longer than the server's answer from memory. */
const get = (url: string, cookie: string) =>
  new Promise<{ status: number; location: string | undefined }>((done, failed) => {
    const asked = request(url, { headers: { Cookie: cookie } }, (response) => {
      const { statusCode: status = 0, headers } = response.resume();
      response.once("end", () => done({ status, location: headers.location }));
    });
    asked.once("error", failed).end();
  });

/** The result of one round. The processor time is that of the server and its database, which run on two cores. */
type Round = { perSecond: number; cpuMs: number };

const figures = [
  ["perSecond", "pages/s", ""],
  ["cpuMs", "ms", ": processor time of a page"],
] as const satisfies [keyof Round, string, string][];

async function rates(
  sites: readonly Site[],
  kind: string,
  pathOf: (number: number) => string,
  pagesPerReport = Number.POSITIVE_INFINITY,
): Promise<Row[]> {
  const taken = sites.map((): Round[] => []);
  for (let round = 0; round <= rounds; round++)
    for (const [at, site] of sites.entries())
      taken[at]?.push(await measureRound(site, pathOf, pagesPerReport));
  return figures.flatMap(([figure, unit, what]) => {
    // The first round makes the server load its code.
    const medians = taken.map((one) => median(one.slice(1).map((round) => round[figure])));
    return sites.map(({ name }, at) => ({
      label: `${kind}, ${name}${what}`,
      value: medians[at] ?? Number.NaN,
      unit,
      ...(at > 0 && { baseline: medians[0] ?? Number.NaN }),
    }));
  });
}

async function measureRound(
  { read, play, cpuSeconds }: Site,
  pathOf: (number: number) => string,
  pagesPerReport: number,
): Promise<Round> {
  const [startedAt, usedBefore] = [performance.now(), cpuSeconds()];
  let number = 0;
  const reader = async () => {
    while (performance.now() - startedAt < roundMs) {
      const own = number++;
      if (own > 0 && own % pagesPerReport === 0) await play(own / pagesPerReport);
      const status = await read(own, pathOf(own));
      if (status !== 200) throw new Error(`${pathOf(own)} answered ${status}`);
    }
  };
  await Promise.all(Array.from({ length: connections }, reader));
  const seconds = (performance.now() - startedAt) / 1000;
  return { perSecond: number / seconds, cpuMs: ((cpuSeconds() - usedBefore) * 1000) / number };
}

/** Each member requests all kinds of pages in turn, at regular intervals. */
async function readSteadily({ name, read }: Site): Promise<Row[]> {
  const load = startSteadyLoad(steady.perSecond, (number) => {
    const [, pathOf] = kinds[number % kinds.length] ?? kinds[0];
    return read(number, pathOf(number));
  });
  await new Promise((done) => setTimeout(done, steady.seconds * 1000));
  const outcomes = await load.stop();
  const failed = outcomes.filter(({ status }) => status !== 200).length;
  const times = outcomes.map(({ ms }) => ms);
  const label = `${steady.perSecond} pages a second, ${name}`;
  return [
    { label: `${label}: median`, value: median(times), unit: "ms" },
    { label: `${label}: p99`, value: quantile(times, 0.99), unit: "ms" },
    { label: `${label}: failed`, value: failed, unit: "pages" },
  ];
}

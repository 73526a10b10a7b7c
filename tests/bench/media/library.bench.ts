import { readFileSync } from "node:fs";
import { mkdir, rename, utimes, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import type { Bench, Row } from "#tests/bench/bench.ts";
import { importGenerated } from "#tests/bench/data/generated-catalog.ts";
import { median } from "#tests/bench/measuring/median.ts";
import { type Served, startSite } from "#tests/bench/measuring/servers.ts";
import { generatedName } from "#tests/support/data/generated-titles.ts";
import { goodPassword } from "#tests/support/data/good-password.ts";
import { signInAt } from "#tests/support/requests/session-member.ts";
import { temporaryFolder } from "#tests/support/setup/temporary-folder.ts";
import { addOperator } from "#tests/support/site/command-line-tools.ts";
import { processesOf } from "#tests/support/site/memory.ts";

/**
 * Goals: the first scan of 10,000 films takes at most 60 s while the site reads the films, a scan without changes 5 s,
 * and no page takes more than 1.5 times its usual time meanwhile.
 */
const bench: Bench = {
  title: "Library: scans of a folder of 10,000 films beside a site without the public cache",
  run: measure,
};
export default bench;

const filmCount = 10_000;
const titleCount = 5_000;
const episodes = 12;
const pages = ["/browse", "/anime/4001", "/api/animes/full?search_query=kaze"];

/**
 * Writes files with the names of real releases, one folder per title. They are no real films, so reading one reads only
 * its head.
 */
async function makeFilms(folder: string) {
  for (let index = 0; index < filmCount; index++) {
    const title = generatedName(1 + Math.floor(index / episodes));
    const episode = String(1 + (index % episodes)).padStart(2, "0");
    if (index % episodes === 0) await mkdir(join(folder, title), { recursive: true });
    const file = join(folder, title, `[Group] ${title} - ${episode} [1080p].mkv`);
    await writeFile(file, `film ${index}`);
    await utimes(file, 1_600_000_000, 1_600_000_000 + index);
  }
}

async function measure(): Promise<Row[]> {
  const [data, films, away] = [temporaryFolder("bench"), temporaryFolder("films"), temporaryFolder("away")];
  await makeFilms(join(away, "films"));
  const site = await startSite({ PUBLIC_CACHE: "0", DATA_DIR: data, MEDIA_DIR: films });
  await importGenerated(data, titleCount);
  const operator = await signIn(site, data);
  for (let round = 0; round < 3; round++) await timesOf(site);
  const before = await collect(site, 20);
  const first = await scan(site, operator, () => rename(join(away, "films"), join(films, "films")));
  await pause(8000);
  const again = await scan(site, operator, () => operator.scan());
  await site.stop();
  return [
    {
      label: `first scan of ${filmCount} films, from their coming to its end (goal: 60)`,
      value: first.seconds,
      unit: "s",
    },
    { label: "… registered by itself", value: first.registered, unit: "films" },
    {
      label: "a scan without changes, from its request to its end (goal: 5)",
      value: again.seconds,
      unit: "s",
    },
    { label: "most memory of the scanner", value: Math.max(first.scannerMiB, again.scannerMiB), unit: "MiB" },
    ...pages.flatMap((page, index) => [
      { label: `${page} before`, value: median(before.map((times) => times[index] ?? 0)), unit: "ms" },
      {
        label: "… during the first scan (goal: 1.5)",
        value: median(first.times.map((times) => times[index] ?? 0)),
        unit: "ms",
        baseline: median(before.map((times) => times[index] ?? 0)),
      },
    ]),
  ];
}

async function timesOf(site: Served): Promise<number[]> {
  const times: number[] = [];
  for (const page of pages) {
    const begin = performance.now();
    const answer = await fetch(site.origin + page);
    await answer.arrayBuffer();
    if (answer.status !== 200) throw new Error(`${page} answered ${answer.status}`);
    times.push(performance.now() - begin);
  }
  return times;
}

async function collect(site: Served, rounds: number): Promise<number[][]> {
  const all: number[][] = [];
  for (let round = 0; round < rounds; round++) all.push(await timesOf(site));
  return all;
}

type Operator = { readFilms(): Promise<string>; scan(): Promise<unknown> };

async function signIn({ origin }: Served, dataDir: string): Promise<Operator> {
  const email = "operator@example.org";
  addOperator({ dataDir }, email, goodPassword);
  const { cookie: Cookie } = await signInAt(origin, email);
  const page = `${origin}/admin/films`;
  return {
    readFilms: async () =>
      (await (await fetch(page, { headers: { Cookie } })).text()).replaceAll("<!-- -->", ""),
    scan: () =>
      fetch(page, {
        method: "POST",
        headers: { Cookie, Origin: origin },
        body: new URLSearchParams({ intent: "scan" }),
      }),
  };
}

/** The number of scans that have found all films, and the message of the last one. */
async function readScans(operator: Operator) {
  const ended = [...(await operator.readFilms()).matchAll(/>(\d+) videos found([^<]*)</g)];
  const whole = ended.filter(([, found]) => Number(found) >= filmCount);
  return {
    count: whole.length,
    registered: Number(/(\d+) newly matched/.exec(whole[0]?.[2] ?? "")?.[1] ?? 0),
  };
}

async function scan(site: Served, operator: Operator, begin: () => Promise<unknown>) {
  const { count } = await readScans(operator);
  const startedAt = performance.now();
  await begin();
  const times: number[][] = [];
  let scannerMiB = 0;
  for (;;) {
    times.push(await timesOf(site));
    scannerMiB = Math.max(scannerMiB, peakMiBOfScanner(site.pid));
    const found = await readScans(operator);
    if (found.count > count)
      return {
        seconds: (performance.now() - startedAt) / 1000,
        registered: found.registered,
        times,
        scannerMiB,
      };
    await pause(200);
  }
}

function peakMiBOfScanner(pid: number): number {
  const read = (path: string) => {
    try {
      return readFileSync(path, "utf8");
    } catch {
      // The process has ended meanwhile.
      return "";
    }
  };
  const scanners = processesOf(pid).filter((one) => read(`/proc/${one}/cmdline`).includes("sources.js"));
  const peaks = scanners.map(
    (one) => Number(/VmHWM:\s+(\d+)/.exec(read(`/proc/${one}/status`))?.[1] ?? 0) / 1024,
  );
  return Math.max(0, ...peaks);
}

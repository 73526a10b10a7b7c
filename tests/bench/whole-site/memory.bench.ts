import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import type { Bench, Row } from "#tests/bench/bench.ts";
import { importGenerated } from "#tests/bench/data/generated-catalog.ts";
import { median } from "#tests/bench/measuring/median.ts";
import { type Served, startSite } from "#tests/bench/measuring/servers.ts";
import { makeLargeFilm } from "#tests/bench/media/large-films.ts";
import { startUpstream, visitors } from "#tests/bench/whole-site/visitors.ts";
import { temporaryFolder } from "#tests/support/setup/temporary-folder.ts";
import { runTool } from "#tests/support/site/command-line-tools.ts";
import { processesOf } from "#tests/support/site/memory.ts";

/** Goal: on a machine of 1 GB, the site stays within its memory whatever it does, also when it does everything at once. */

const memory = 1024;
const titles = 21_000;
const idleMs = 20_000;
const busyMs = 30_000;
const sampleMs = 500;
const viewers = 20;

type Work = (number: number) => Promise<unknown>;
/** A phase keeps `atOnce` requests of its kind under way. */
type Phase = { name: string; atOnce: number; work: Work };

const bench: Bench = {
  isLong: true,
  title: `Memory of all processes with MEMORY=${memory} and ${titles.toLocaleString("en")} titles`,
  async run() {
    const folder = temporaryFolder("bench-memory");
    const films = join(folder, "films");
    const dataDir = join(folder, "data");
    mkdirSync(films);
    makeLargeFilm(films, "Cowboy Bebop - 01.mkv", { bitsPerSecond: 7_800_000, minutes: 4 });
    const upstream = await startUpstream();
    const site = await startSite({
      DATA_DIR: dataDir,
      MEDIA_DIR: films,
      MEMORY: String(memory),
      ALLOW_PRIVATE_UPSTREAMS: "127.0.0.1",
    });
    // The films are scanned first, because their titles get generated names afterwards.
    runTool({ dataDir, mediaDir: films }, "sources", ["scan", films]);
    const rows = await during("an import of the titles", site, () => importGenerated(dataDir, titles));
    rows.push(...(await during("idle", site, () => pause(idleMs))));
    rows.push({ label: "… processes", value: processesOf(site.pid, dataDir).length, unit: "" });
    const phases = await phasesOf(site, upstream.origin);
    for (const phase of phases) rows.push(...(await during(phase.name, site, () => keepBusy([phase]))));
    rows.push(...(await during("all of these at once", site, () => keepBusy(phases))));
    rows.push(...(await during("idle again", site, () => pause(idleMs))));
    await site.stop();
    upstream.stop();
    return rows;
  },
};
export default bench;

async function phasesOf({ origin }: Served, upstream: string): Promise<Phase[]> {
  const read = async (path: string) => (await fetch(new URL(path, origin))).arrayBuffer();
  const segments = await segmentsOf(origin);
  const mixed = await visitors(origin, upstream);
  return [
    { name: "visitors read pages", atOnce: 8, work: (number) => read(pageOf(number)) },
    {
      name: "pictures are drawn and converted",
      atOnce: 8,
      work: (number) =>
        number % 4 === 0
          ? read(
              `/api/proxy?w=${320 + (number % 500)}&url=${encodeURIComponent(`${upstream}/${number}.jpg`)}`,
            )
          : read(`/poster/${1 + (number % titles)}.webp?w=480`),
    },
    {
      name: `${viewers} viewers of a packaged film`,
      atOnce: viewers,
      work: (number) => read(segments[number % segments.length] ?? ""),
    },
    { name: "a member with lists, imports and both proxies", atOnce: 4, work: mixed },
  ];
}

const pageOf = (number: number) =>
  [`/anime/${1 + ((number * 7) % titles)}`, `/browse?page=${1 + (number % 500)}`, "/", "/seasons"][
    number % 4
  ] ?? "/";

async function segmentsOf(origin: string): Promise<string[]> {
  const textOf = async (url: string) => (await fetch(url)).text();
  const page = await textOf(`${origin}/watch/1/1`);
  const main = new URL(`${/\/play\/[\da-f-]{36}\/[\da-f]{12}\//.exec(page)?.[0]}main.m3u8`, origin).href;
  const playlist = new URL(/^(\S+\.m3u8)$/m.exec(await textOf(main))?.[1] ?? "", main).href;
  return [...(await textOf(playlist)).matchAll(/^#EXTINF:[\d.]+,\n(\S+)$/gm)].map(
    ([, name = ""]) => new URL(name, playlist).href,
  );
}

async function keepBusy(phases: readonly Phase[]) {
  const end = Date.now() + busyMs;
  const workers = phases.flatMap(({ atOnce, work }) => {
    let number = 0;
    return Array.from({ length: atOnce }, async () => {
      while (Date.now() < end) await work(number++);
    });
  });
  await Promise.all(workers);
}

async function during(name: string, site: Served, work: () => Promise<unknown>): Promise<Row[]> {
  const sizes = [site.totalMiB()];
  const sampling = setInterval(() => sizes.push(site.totalMiB()), sampleMs);
  await work();
  clearInterval(sampling);
  return [
    { label: `${name}: median`, value: median(sizes), unit: "MiB" },
    { label: `${name}: maximum`, value: Math.max(...sizes), unit: "MiB", baseline: memory },
  ];
}

import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import type { Bench, Row } from "#tests/bench/bench.ts";
import { comparedInTurns } from "#tests/bench/measuring/median.ts";
import { type Served, startSite } from "#tests/bench/measuring/servers.ts";
import { visitsInBothBrowsers } from "#tests/bench/media/film-pages.ts";
import { makeLargeFilm } from "#tests/bench/media/large-films.ts";
import { temporaryFolder } from "#tests/support/setup/temporary-folder.ts";
import { runTool } from "#tests/support/site/command-line-tools.ts";

/**
 * Goals: before the first frame, at most the first segment and 1 MB; the first frame within 1.0 s, and a frame within 0.7 s
 * of a seek; one core carries 100 viewers of 5 Mbit/s.
 */
const bench: Bench = {
  title: "A packaged film of 1.4 GB (H.264 and AAC in Matroska)",
  async run() {
    const folder = temporaryFolder("bench-films");
    const films = join(folder, "films");
    mkdirSync(films);
    const large = makeLargeFilm(films, "Cowboy Bebop - 01.mkv", { bitsPerSecond: 7_800_000, minutes: 24 });
    const small = makeLargeFilm(films, "Cowboy Bebop - 02.mkv", { bitsPerSecond: 5_000_000, minutes: 4 });
    const site = await startSite({ MEDIA_DIR: films, DATA_DIR: join(folder, "data") });
    runTool({ dataDir: join(folder, "data"), mediaDir: films }, "sources", ["scan", films]);
    const rows = [
      ...(await visitsInBothBrowsers(`${site.origin}/watch/1/1`, await firstSegmentBytes(site))),
      ...(await measureSegments(large, await openFilm(site, 1))),
      ...(await measureHour(site, small, await openFilm(site, 2))),
    ];
    await site.stop();
    return rows;
  },
};
export default bench;

type Segment = { url: string; start: number; seconds: number };
type Film = { picture: Segment[]; sound: Segment[] };

const textOf = async (url: string) => (await fetch(url)).text();

async function openFilm(site: Served, episode: number): Promise<Film> {
  const page = await textOf(`${site.origin}/watch/1/${episode}`);
  const main = new URL(`${/\/play\/[\da-f-]{36}\/[\da-f]{12}\//.exec(page)?.[0]}main.m3u8`, site.origin).href;
  const playlist = await textOf(main);
  const segmentsAt = (pattern: RegExp) => segmentsOf(new URL(pattern.exec(playlist)?.[1] ?? "", main).href);
  return { picture: await segmentsAt(/^(\S+\.m3u8)$/m), sound: await segmentsAt(/URI="([^"]+)"/) };
}

async function segmentsOf(playlist: string): Promise<Segment[]> {
  const named = [...(await textOf(playlist)).matchAll(/^#EXTINF:([\d.]+),\n(\S+)$/gm)];
  let end = 0;
  return named.map(([, seconds, name = ""]) => {
    const start = end;
    end += Number(seconds);
    return { url: new URL(name, playlist).href, start, seconds: Number(seconds) };
  });
}

async function read(url: string): Promise<number> {
  const answer = await fetch(url);
  if (!answer.ok) throw new Error(`${url} answered ${answer.status}`);
  return (await answer.arrayBuffer()).byteLength;
}

async function firstSegmentBytes(site: Served): Promise<number> {
  const { picture } = await openFilm(site, 1);
  return read(picture[0]?.url ?? "");
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const startedAt = performance.now();
  await work();
  return performance.now() - startedAt;
}

type Stream = "v" | "a";

/** ffmpeg's arguments for cutting the same part of the same track in a separate process. */
const remuxOptions = (film: string, stream: Stream, { start, seconds }: Segment) => [
  ...["-v", "error", "-nostdin", "-ss", start.toFixed(3), "-t", seconds.toFixed(3), "-i", film],
  ...["-map", `0:${stream}`, "-c", "copy", "-f", "mp4", "-movflags", "frag_keyframe+empty_moov", "pipe:1"],
];

async function remux(film: string, stream: Stream, segment: Segment) {
  const ffmpeg = spawn("ffmpeg", remuxOptions(film, stream, segment), {
    stdio: ["ignore", "pipe", "inherit"],
  });
  ffmpeg.stdout.resume();
  await once(ffmpeg, "close");
}

/** The processor time of all these ffmpeg processes, as their shell reports it. */
async function cpuOfRemuxing(film: string, parts: readonly (readonly [Stream, Segment])[]): Promise<number> {
  const commands = parts.map(([stream, segment]) => {
    const words = remuxOptions(film, stream, segment).map((word) => `'${word.replaceAll("'", "'\\''")}'`);
    return `ffmpeg ${words.join(" ")} > /dev/null`;
  });
  const shell = spawn("bash", ["-s"], { stdio: ["pipe", "pipe", "inherit"] });
  shell.stdin.end(`${commands.join("\n")}\ntimes\n`);
  // The second line has the times of the shell's children: 0m3.210s 0m1.050s
  const [, ofChildren = ""] = (await text(shell.stdout)).split("\n");
  const times = [...ofChildren.matchAll(/(\d+)m([\d.]+)s/g)];
  return times.reduce((sum, [, minutes, seconds]) => sum + 60 * Number(minutes) + Number(seconds), 0);
}

const rounds = 9;

/** Measures different segments in each round, because the site caches the segments that it has cut. */
async function measureSegments(file: string, { picture, sound }: Film): Promise<Row[]> {
  const rows: Row[] = [];
  for (const [name, stream, all] of [
    ["picture", "v", picture],
    ["sound", "a", sound],
  ] as const) {
    let next = 20;
    const another = () => all[next++] as Segment;
    const times = await comparedInTurns(rounds, {
      ffmpeg: () => timed(() => remux(file, stream, another())),
      site: () => timed(() => read(another().url)),
    });
    const label = `a segment of ${name}:`;
    rows.push({ label: `${label} ffmpeg -ss … -t … -c copy`, value: times.ffmpeg.value, unit: "ms" });
    rows.push({ label: `${label} asked of the site`, ...times.site, unit: "ms" });
  }
  return rows;
}

/** Measures the processor time per hour of film for one viewer who watches the whole film and fetches each segment once. */
async function measureHour(site: Served, file: string, { picture, sound }: Film): Promise<Row[]> {
  const parts = [
    ...picture.map((one) => ["v", one] as const),
    ...sound.map((one) => ["a", one] as const),
  ].sort(([, one], [, other]) => one.start - other.start);
  const hours = picture.reduce((sum, { seconds }) => sum + seconds, 0) / 3600;
  const cost = await comparedInTurns(3, {
    ffmpeg: async () => (await cpuOfRemuxing(file, parts)) / hours,
    site: async () => {
      const before = site.totalCpuSeconds();
      for (const [, { url }] of parts) await read(url);
      return (site.totalCpuSeconds() - before) / hours;
    },
  });
  const label = "an hour of 5 Mbit/s for one viewer:";
  return [
    { label: `${label} ffmpeg, one process for each segment`, value: cost.ffmpeg.value, unit: "CPU s" },
    { label: `${label} asked of the site`, ...cost.site, unit: "CPU s" },
    {
      label: "viewers of 5 Mbit/s that one core carries (goal: 100)",
      value: 3600 / cost.site.value,
      unit: "viewers",
      baseline: 100,
    },
  ];
}

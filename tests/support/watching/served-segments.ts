import { spawnSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { beepsOf, flashesOf, furthest } from "#tests/support/data/film-events.ts";
import { makeFilm } from "#tests/support/data/made-films.ts";
import { matroskaFilms } from "#tests/support/data/various-films.ts";
import { filmViewer } from "#tests/support/requests/film-viewer.ts";
import { whenFree } from "#tests/support/requests/when-free.ts";
import { temporaryFolder } from "#tests/support/setup/temporary-folder.ts";
import { runTool } from "#tests/support/site/command-line-tools.ts";
import { startSite } from "#tests/support/site/site-process.ts";

/**
 * The site's segments of a film are valid for ffmpeg, with picture and sound at their times. tests/release reads all films,
 * tests/players those of `inGate`.
 */

type Name = keyof typeof matroskaFilms;
/** The forms in which films are served beside, or in place of, their original file. */
const variants: Partial<Record<Name, string[]>> = {
  "HEVC of 10 bits and AAC": ["main", "main-h"],
  "MPEG-2 and AC-3": ["main-h-c"],
  "MPEG-4 ASP and MP3": ["main-h-c"],
  MP3: ["main-c"],
  "MP3 by mkvmerge": ["main-c"],
  Vorbis: ["main-c"],
  "AC-3": ["main", "main-c"],
  "AC-3 of 5.1": ["main", "main-c"],
  "E-AC-3 of 5.1": ["main", "main-c"],
  DTS: ["main-c"],
  "DTS of 5.1": ["main-c"],
  PCM: ["main-c"],
  "PCM of 24 bits": ["main-c"],
  "AC-3 of 5.1 by mkvmerge": ["main", "main-c"],
  "E-AC-3 by mkvmerge": ["main", "main-c"],
  "DTS by mkvmerge": ["main-c"],
  "Vorbis by mkvmerge": ["main-c"],
  "PCM by mkvmerge": ["main-c"],
  "MPEG-4 ASP by mkvmerge": ["main-h-c"],
  "open groups of HEVC": ["main", "main-h"],
  "many B-frames": ["main", "main-h"],
  "a variable frame rate": ["main", "main-h"],
  "rates of 23.976, 29.97 and 60 by turns": ["main", "main-h"],
  "HEVC with rates of 60 and 23.976 by turns": ["main-c", "main-h-c"],
  // `beepsOf` reads sound of 48 kHz. The table of films plays this one.
  "FLAC of 96 kHz": [],
  // Their pictures have no flashes. The table of films looks at their colors, shape and lines.
  HDR10: [],
  HLG: [],
  "an interlaced DVD": [],
  "interlaced without a mark": [],
};
type Case = { name: Name; variant: string; ffmpeg: "with" | "without" };

const allCases: Case[] = [
  ...(Object.keys(matroskaFilms) as Name[]).flatMap((name) =>
    (variants[name] ?? ["main"]).map((variant) => ({ name, variant, ffmpeg: "with" as const })),
  ),
  // Sound that the site converts without ffmpeg.
  ...(["AC-3 of 5.1", "E-AC-3 by mkvmerge", "HEVC with rates of 60 and 23.976 by turns"] as const).map(
    (name) => ({ name, variant: "main-c", ffmpeg: "without" as const }),
  ),
];
/** One film for each way in which a track is served, timed or converted. */
const inGate: Case[] = [
  { name: "H.264 and AAC", variant: "main", ffmpeg: "with" },
  { name: "HEVC of 10 bits and AAC", variant: "main-h", ffmpeg: "with" },
  { name: "sound that begins late", variant: "main", ffmpeg: "with" },
  { name: "AC-3 of 5.1", variant: "main-c", ffmpeg: "without" },
];
/** The film that ten viewers request at once. */
const shared: Name = "H.264 and AAC";

/** On a slow machine, a converted segment can take longer than one request waits. Players ask again, too. */
async function bytesOf(url: string): Promise<Buffer> {
  const answer = await whenFree(() => fetch(url));
  expect(answer.status, url).toBe(200);
  return Buffer.from(await answer.arrayBuffer());
}
const textOf = async (url: string) => (await bytesOf(url)).toString();

/** For a longer film, only the end is read. */
const maxSegments = 40;
const endSegments = 10;

/** A film without an index has this address once the site has made an index. */
async function playlistOf(origin: string, episode: number, variant: string): Promise<string> {
  const address = () =>
    textOf(`${origin}/watch/269/${episode}`).then(
      (page) => /\/play\/[\da-f-]{36}\/[\da-f]{12}\//.exec(page)?.[0],
    );
  await expect.poll(address).toBeDefined();
  return new URL(`${await address()}${variant}.m3u8`, origin).href;
}

export async function testServedSegments({ isWhole }: { isWhole: boolean }) {
  const cases = isWhole ? allCases : inGate;
  const names = [...new Set(cases.map(({ name }) => name))];
  const folder = temporaryFolder("films");
  const films = join(folder, "films");
  mkdirSync(films);
  for (const [index, name] of names.entries())
    makeFilm(films, `Bleach - ${index + 1}.mkv`, matroskaFilms[name]);

  const settings = { MEDIA_DIR: films, RATE_LIMIT_POINTS: "100000" };
  const [site, bareSite] = await Promise.all([
    startSite({ ...settings, CONVERSIONS: "4" }),
    startSite({ ...settings, FFMPEG: "off" }),
  ]);
  for (const one of [site, bareSite]) runTool(one, "sources", ["scan", films]);

  /** The init segment and the segments of a track, in one file. */
  async function fileOf(track: string): Promise<string> {
    const playlist = await textOf(track);
    const parts = [await bytesOf(track.replace(/\.m3u8$/, ".mp4"))];
    const segments = playlist.match(/^\S+\.m4s$/gm) ?? [];
    const read = segments.length > maxSegments ? segments.slice(-endSegments) : segments;
    for (const segment of read) parts.push(await bytesOf(new URL(segment, track).href));
    const file = join(folder, "track.mp4");
    writeFileSync(file, Buffer.concat(parts));
    return file;
  }

  // This test comes first, while the site has read nothing of this film.
  test("ten viewers who request the same parts at once all get the same bytes", async () => {
    const playlist = await playlistOf(site.origin, 1 + names.indexOf(shared), "main");
    const folder = new URL(".", playlist).pathname;
    const readAll = async (from: string) => {
      const viewer = filmViewer(site.origin, from);
      const parts: Buffer[] = [];
      for (const track of ["v", "a2"])
        for (const name of await viewer.listParts(folder, track))
          parts.push(await viewer.read(folder + name));
      return Buffer.concat(parts);
    };
    const atOnce = await Promise.all(Array.from({ length: 10 }, (_, at) => readAll(`127.4.0.${at + 1}`)));
    const alone = await readAll("127.4.1.1");
    expect(alone.length).toBeGreaterThan(0);
    expect(atOnce.map((bytes) => bytes.equals(alone))).toEqual(Array(10).fill(true));
  });

  test.each(cases)(
    "$name as $variant $ffmpeg ffmpeg: no warning, and flashes and beeps within 20 ms",
    async (one) => {
      const { origin } = one.ffmpeg === "with" ? site : bareSite;
      const main = await playlistOf(origin, names.indexOf(one.name) + 1, one.variant);
      const playlist = await textOf(main);
      const urlOf = (pattern: RegExp) => new URL(pattern.exec(playlist)?.[1] ?? "", main).href;
      const times: Record<string, number[]> = {};
      for (const [kind, pattern] of [
        ["flashes", /^(\S+\.m3u8)$/m],
        ["beeps", /URI="([^"]+)"/],
      ] as const) {
        const file = await fileOf(urlOf(pattern));
        const probed = spawnSync("ffprobe", ["-v", "warning", "-count_packets", "-show_streams", file]);
        expect(probed.stderr.toString()).toBe("");
        times[kind] = kind === "flashes" ? flashesOf(file) : beepsOf(file);
      }
      const { flashes = [], beeps = [] } = times;
      expect(flashes.length).toBeGreaterThanOrEqual(6);
      expect(beeps.length).toBeGreaterThanOrEqual(6);
      const [first = 0, last = 0] = [beeps[0], beeps.at(-1)];
      const accompanied = flashes.filter((seconds) => seconds > first - 1 && seconds < last + 1);
      // The end of a long film that was read can begin a segment earlier in the sound than in the picture.
      const seen = beeps.filter((seconds) => seconds > (flashes[0] ?? 0) - 1);
      expect(furthest(seen, flashes)).toBeLessThanOrEqual(0.02);
      expect(furthest(accompanied, beeps)).toBeLessThanOrEqual(0.02);
    },
  );
}

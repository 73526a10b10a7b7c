import { execFileSync } from "node:child_process";
import { chmodSync, mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { beepsOf, flashesOf, furthest } from "#tests/support/data/film-events.ts";
import { type MadeFilm, makeFilm } from "#tests/support/data/made-films.ts";
import { matroskaFilms } from "#tests/support/data/various-films.ts";
import { temporaryFolder } from "#tests/support/setup/temporary-folder.ts";
import { runTool } from "#tests/support/site/command-line-tools.ts";
import { startSite } from "#tests/support/site/site-process.ts";

/**
 * ffmpeg, mpv and VLC play packaged films by their addresses from beginning to end, with sound and picture in step.
 * tests/release plays all films, tests/players the one of `inGate`.
 */

type Case = { name: string; film: MadeFilm; variants: string[] };

const twoSounds: MadeFilm = {
  ...matroskaFilms["H.264 and AAC"],
  sounds: [
    { codec: "aac", language: "jpn" },
    { codec: "libopus", language: "eng" },
  ],
  mkvmerge: ["--language", "0:en", "lines.srt"],
  texts: { "lines.srt": "1\n00:00:01,000 --> 00:00:05,000\nA line\n" },
};

/** `all` is the playlist that the API names for other players. The others are those of the site's own player. */
const allCases: Case[] = [
  {
    name: "H.264 with two sound tracks and subtitles",
    film: twoSounds,
    variants: ["all", "main"],
  },
  ...(
    [
      ["H.264 of 10 bits and FLAC", "all"],
      ["HEVC of 10 bits and AAC", "all", "main-h"],
      ["AV1 and Opus", "all"],
      ["VP9 and Opus", "all"],
      ["E-AC-3 of 5.1", "all", "main-c"],
      ["MPEG-2 and AC-3", "main-h-c"],
      ["DTS by mkvmerge", "main-c"],
      ["many B-frames", "all"],
      ["a variable frame rate", "all"],
      ["sound that begins late", "all"],
    ] as const
  ).map(([name, ...variants]) => ({ name, film: matroskaFilms[name], variants: [...variants] })),
];
/** The gate plays this one as `all`. */
const inGate = "H.264 with two sound tracks and subtitles";

const isRoot = process.getuid?.() === 0;
const otherUser = isRoot ? ["setpriv", "--reuid", "nobody", "--regid", "nogroup", "--clear-groups"] : [];
const small = "scale=64:36,format=gray";

/** VLC writes the sound of a film one frame late, also when it plays the file itself. A frame of FLAC lasts 0.1 s. */
const maxDifference: Record<string, number> = { ffmpeg: 0.05, mpv: 0.05, VLC: 0.15 };

/** Each player decodes the film as fast as it can, and writes its picture and sound to a file. */
const players: Record<string, (url: string, played: string, home: string) => string[]> = {
  ffmpeg: (url, played) => [
    ...["ffmpeg", "-v", "error", "-nostdin", "-i", url, "-map", "0:v:0", "-map", "0:a:0", "-vf", small],
    ...["-fps_mode", "passthrough", "-enc_time_base", "-1", "-c:v", "ffv1", "-c:a", "pcm_s16le", played],
  ],
  mpv: (url, played) => [
    ...["mpv", "--no-config", "--really-quiet", `--vf=${small}`, `--o=${played}`],
    ...["--of=matroska", "--ovc=ffv1", "--oac=pcm_s16le", url],
  ],
  VLC: (url, played, home) => [
    ...[...otherUser, "env", `HOME=${home}`, "cvlc", "-q", "-I", "dummy", "--play-and-exit", "--sout"],
    `#transcode{vcodec=mp2v,vb=500,acodec=s16l}:std{access=file,mux=mkv,dst=${played}}`,
    url,
  ],
};

export async function playInOtherPlayers({ isWhole }: { isWhole: boolean }) {
  const cases = isWhole
    ? allCases
    : allCases.filter(({ name }) => name === inGate).map((one) => ({ ...one, variants: ["all"] }));
  const folder = temporaryFolder("players");
  // VLC does not run as root.
  chmodSync(folder, 0o777);
  const films = join(folder, "films");
  mkdirSync(films);
  for (const [index, { film }] of cases.entries())
    makeFilm(films, `Bleach - ${index + 1}.mkv`, { ...film, seconds: 20 });

  const site = await startSite({ MEDIA_DIR: films, RATE_LIMIT_POINTS: "100000", CONVERSIONS: "4" });
  runTool(site, "sources", ["scan", films]);

  const played = join(folder, "played.mkv");

  /** The API names only what other players can play without a conversion. */
  async function addressOf(episode: number, variant: string): Promise<string> {
    if (variant === "all") {
      const answer = await fetch(`${site.origin}/api/episodes/getEpisode?mal_id=269&ep=${episode}`);
      const { data } = (await answer.json()) as { data: { video_url: string } };
      expect(data.video_url).toMatch(/\/all\.m3u8$/);
      return data.video_url;
    }
    const folderOfFilm = () =>
      fetch(`${site.origin}/watch/269/${episode}`)
        .then((page) => page.text())
        .then((page) => /\/play\/[\da-f-]{36}\/[\da-f]{12}\//.exec(page)?.[0]);
    await expect.poll(folderOfFilm).toBeDefined();
    return `${site.origin}${await folderOfFilm()}${variant}.m3u8`;
  }

  const listed = cases.flatMap(({ name, variants }, index) =>
    variants.map((variant) => ({ name, variant, episode: index + 1 })),
  );

  describe.each(Object.entries(players))("in %s", (player, commandOf) => {
    test.each(listed)("$name as $variant plays to its end", async ({ name, episode, variant }) => {
      rmSync(played, { force: true });
      const [program = "", ...options] = commandOf(await addressOf(episode, variant), played, folder);
      execFileSync(program, options, { stdio: "ignore", timeout: 280_000, killSignal: "SIGKILL" });
      const [flashes, beeps] = [flashesOf(played), beepsOf(played)];
      // One flash every three seconds.
      expect(flashes).toHaveLength(7);
      expect(beeps).toHaveLength(name === "sound that begins late" ? 5 : 7);
      expect(furthest(beeps, flashes)).toBeLessThan(maxDifference[player] ?? 0);
    });
  });
}

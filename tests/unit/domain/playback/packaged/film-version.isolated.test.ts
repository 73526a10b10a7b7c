import { expect, test, vi } from "vitest";
import type { Inspection } from "#app/media/film/inspection.ts";
import { temporaryFolder } from "#tests/support/setup/temporary-folder.ts";

/** Any existing program will do: nothing is converted here. */
process.env.FFMPEG = process.execPath;
process.env.MEDIA_DIR = temporaryFolder("films");
process.env.DATA_DIR = temporaryFolder("film-version");
process.env.CONVERSIONS = "1";

vi.mock("#app/domain/films/films.server.ts", async (original) => ({
  ...(await original<typeof import("#app/domain/films/films.server.ts")>()),
  findFilm: async () => ({}),
  readFilm: async () => film,
  findFilmFile: async () => ({ file: "/films/01.mkv", id: "1:2", size: 2000, modifiedMs: 2 }),
}));

async function siteWith(settings: { MEMORY: string; FFMPEG_ARGS?: string }) {
  vi.resetModules();
  process.env.FFMPEG_ARGS = "";
  Object.assign(process.env, settings);
  return import("#app/domain/playback/packaged/film-version.server.ts");
}

const picture = { number: 1, codec: "hvc1", codecLabel: "HEVC", widthPx: 1920, heightPx: 1080 };
const sound = { number: 2, codec: "ac-3", codecLabel: "AC-3", channels: 6 };
const inspection = {
  container: "matroska",
  standsInFor: null,
  obstacle: null,
  durationSeconds: 80,
  soundFiles: [],
  subtitles: [],
  video: [picture],
  audio: [sound],
} as unknown as Inspection;
const film = { size: 1000, modifiedMs: 1, inspection };
const convertsAt = (version: string) => {
  const found = large.conversionsAt(film, version);
  const [video] = inspection.video;
  const [audio] = inspection.audio;
  return found && video && audio && [found.ofPicture(video), found.ofSound(audio)];
};

const small = await siteWith({ MEMORY: "1024" });
const large = await siteWith({ MEMORY: "8192" });
const other = await siteWith({ MEMORY: "8192", FFMPEG_ARGS: "-crf 30" });

test("a film has another URL when the way of conversion changes", () => {
  const versions = [small, large, other].map(({ versionOf }) => versionOf(film));
  expect(new Set(versions).size).toBe(3);
  for (const version of versions) expect(version).toMatch(/^[\da-f]{12}$/);
});

test("the URL of another conversion serves no converted picture, but still sound and unconverted segments", () => {
  expect(convertsAt(large.versionOf(film))).toEqual([true, true]);
  expect(convertsAt(small.versionOf(film))).toEqual([false, true]);
  expect(convertsAt(large.fileVersionOf(film))).toEqual([false, false]);
  expect(convertsAt(large.versionOf({ ...film, size: 1001 }))).toBeNull();
  expect(convertsAt(large.versionOf(film).slice(0, 6))).toBeNull();
});

test("a film without converted tracks keeps its URL", () => {
  const asItIs = { ...film, inspection: { ...inspection, obstacle: "no-index" } as Inspection };
  expect(small.versionOf(asItIs)).toBe(large.fileVersionOf(film));
});

test("a film is opened with its recorded size and time, so that a file which replaces it meanwhile is refused", async () => {
  const opened = await large.openVersion({ film: "a film", version: large.versionOf(film) }, "viewer");
  expect(opened?.file).toEqual({ file: "/films/01.mkv", id: "1:2", size: 1000, modifiedMs: 1 });
});

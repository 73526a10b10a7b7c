import { expect, test, vi } from "vitest";
import { packKeyFrames } from "#app/media/segments/key-frames.ts";
import { temporaryFolder } from "#tests/support/setup/temporary-folder.ts";

process.env.MEDIA_DIR = temporaryFolder("films");
process.env.DATA_DIR = temporaryFolder("packaged-film");
process.env.FFMPEG = "off";
const readKeyFrames = vi.fn(async () => packKeyFrames([{ seconds: 0, at: 0 }]));
const picture = { number: 1, codec: "avc1.640028", codecLabel: "H.264", widthPx: 1920, heightPx: 1080 };
const film = {
  id: "a film",
  path: "01.mkv",
  size: 9,
  modifiedMs: 1,
  inspection: {
    container: "matroska",
    standsInFor: null,
    obstacle: null,
    durationSeconds: 10,
    edition: null,
    soundFiles: [],
    subtitles: [],
    video: [picture],
    audio: [],
  },
};
vi.mock("#app/domain/films/films.server.ts", async (original) => ({
  ...(await original<object>()),
  findFilm: async () => film,
  readFilm: async () => film,
  findFilmFile: async () => ({ file: "/films/01.mkv", id: "1:2", size: 9, modifiedMs: 1 }),
  readKeyFrames,
}));
const { readPackagedPart } = await import("#app/domain/playback/packaged/packaged-film.server.ts");
const { fileVersionOf } = await import("#app/domain/playback/packaged/film-version.server.ts");

test("the plan of a film is kept for its present version only, or all versions would fill the memory", async () => {
  const present = fileVersionOf(film as unknown as Parameters<typeof fileVersionOf>[0]);
  const requester = { client: "a viewer", signal: new AbortController().signal };
  const read = (version: string) => readPackagedPart({ film: film.id, version, name: "v.m3u8" }, requester);
  for (const version of [present, present]) expect(await read(version)).toMatchObject({ ok: true });
  expect(readKeyFrames).toHaveBeenCalledTimes(1);
  const other = `${present.slice(0, 6)}ffffff`;
  for (const version of [other, other]) expect(await read(version)).toMatchObject({ ok: true });
  expect(readKeyFrames).toHaveBeenCalledTimes(3);
});

import { expect, test, vi } from "vitest";
import { temporaryFolder } from "#tests/support/setup/temporary-folder.ts";

process.env.MEDIA_DIR = temporaryFolder("films");
process.env.DATA_DIR = temporaryFolder("film-fonts");
process.env.FFMPEG = "off";
vi.mock("#app/domain/films/films.server.ts", async (original) => {
  const films = await original<typeof import("#app/domain/films/films.server.ts")>();
  const readFilm = () => Promise.reject(new films.SilentFolder("the folder does not answer"));
  return { ...films, findFilm: async () => ({}), readFilm };
});
const { openFilmFont } = await import("#app/domain/playback/packaged/film-fonts.server.ts");
const { prepareFilm } = await import("#app/domain/playback/packaged/preparation.server.ts");

test("while the media folder does not answer, fonts and preparations are refused for now", async () => {
  const address = { film: "a film", version: "1" };
  const refusal = { ok: false, reason: "overloaded", waitMs: 30_000 };
  expect(await openFilmFont({ ...address, font: 0 }, "viewer")).toMatchObject(refusal);
  expect(await prepareFilm(address, "viewer")).toMatchObject(refusal);
});

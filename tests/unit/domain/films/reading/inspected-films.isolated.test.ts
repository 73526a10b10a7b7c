import { expect, test, vi } from "vitest";
import type { Film } from "#app/domain/films/films.server.ts";
import { temporaryFolder } from "#tests/support/setup/temporary-folder.ts";

process.env.MEDIA_DIR = temporaryFolder("inspected-films");
const file = { file: "film.mkv", id: "1:1", size: 9, modifiedMs: 1 };
const orderFilm = vi.fn();
vi.mock("#app/domain/films/folder/film-workers.server.ts", async (original) => ({
  ...(await original<object>()),
  canReadFilms: true,
  orderFilm,
}));
vi.mock("#app/domain/films/folder/media-folder.server.ts", async (original) => ({
  ...(await original<object>()),
  findFilmFile: async () => file,
  listSoundNamesBeside: async () => [],
}));
const { readFilm } = await import("#app/domain/films/reading/inspected-films.server.ts");
const { ChildError } = await import("#app/domain/films/folder/film-workers.server.ts");

test.each([
  ["crashed", 1],
  ["too_slow", 1],
  ["overloaded", 2],
] as const)("of a film whose inspection %s, two views start %i inspections", async (failure, inspections) => {
  orderFilm.mockReset().mockRejectedValue(new ChildError(failure));
  const film = { id: failure, path: "film.mkv", size: null, modifiedMs: null, inspection: null } as Film;
  expect(await readFilm(film)).toBeNull();
  expect(await readFilm(film)).toBeNull();
  expect(orderFilm).toHaveBeenCalledTimes(inspections);
  file.modifiedMs++;
  await readFilm(film);
  expect(orderFilm).toHaveBeenCalledTimes(inspections + 1);
});

import { copyFileSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "vitest";
import { heldFfmpeg } from "#tests/support/data/held-ffmpeg.ts";
import { makeFilm } from "#tests/support/data/made-films.ts";
import { temporaryFolder } from "#tests/support/setup/temporary-folder.ts";

/** Films that ffmpeg puts into Matroska files in the film cache. */

export const folder = temporaryFolder("stand-ins");
const ffmpeg = heldFfmpeg(folder);
export const { hold, release, swell, runsOf } = ffmpeg;
/** Room for one stand-in with its reserve of 32 MiB, but not for two. */
const cacheMb = 60;
export const settings = { MEDIA_DIR: folder, FFMPEG: ffmpeg.program };
Object.assign(process.env, { ...settings, FILM_CACHE_SIZE: `${cacheMb}` });

export const { askFor, partNamedBy, registerEpisode } = await import(
  "#tests/support/requests/film-preparation.ts"
);
const { importTitles } = await import("#tests/support/data/import-titles.ts");

export const small = { size: "160x90", seconds: 4, picture: ["-c:v", "libx264", "-preset", "ultrafast"] };
export const films = temporaryFolder("films");
export const transport = makeFilm(films, "film.ts", { ...small, sounds: [{ codec: "aac" }] });

export const put = (name: string, from: string | Buffer) =>
  typeof from === "string" ? copyFileSync(from, join(folder, name)) : writeFileSync(join(folder, name), from);
export const unfinishedIn = (dataDir: string) =>
  readdirSync(join(dataDir, "film-cache"), { recursive: true, encoding: "utf8" }).filter((name) =>
    name.includes("."),
  );

/** Puts a film into the folder, and returns its page and the address at which it is prepared. */
export async function offer(name: string, from: string | Buffer) {
  put(name, from);
  const page = await registerEpisode(name);
  const prepared = await partNamedBy(page);
  expect(prepared).toMatch(/\/prepared$/);
  return { page, prepared: prepared ?? "" };
}

export const isPrepared = (path: string) => expect.poll(async () => (await askFor(path)).status).toBe(200);

/** The title whose episodes the films are. */
export const addTitle = () =>
  importTitles([{ kind: "title", mal_id: 1, title: "Cowboy Bebop", type: "TV", episodes: 26 }]);

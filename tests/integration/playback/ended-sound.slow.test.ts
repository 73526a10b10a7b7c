import { beforeAll, expect, test } from "vitest";
import { makeFilm } from "#tests/support/data/made-films.ts";
import { whenFree } from "#tests/support/requests/when-free.ts";
import { temporaryFolder } from "#tests/support/setup/temporary-folder.ts";

/** ffmpeg reads the format of DTS from its packets, and a film can go on after its sound. */

const folder = temporaryFolder("ended-sound");
process.env.MEDIA_DIR = folder;
const { request } = await import("#tests/support/site/in-process.ts");
const { importTitles } = await import("#tests/support/data/import-titles.ts");
const { partNamedBy, registerEpisode } = await import("#tests/support/requests/film-preparation.ts");

const film = {
  size: "160x90",
  seconds: 40,
  picture: ["-c:v", "libx264", "-preset", "ultrafast"],
  sounds: [{ codec: "dca" }],
  soundSeconds: 10,
};

beforeAll(() =>
  importTitles([{ kind: "title", mal_id: 1, title: "Cowboy Bebop", type: "TV", episodes: 26 }]),
);

test.each(["01.mkv", "02.mp4"])("%s plays after a jump to where its sound has ended", async (name) => {
  makeFilm(folder, name, film);
  const parts = ((await partNamedBy(await registerEpisode(name))) ?? "").replace(/[^/]*$/, "");
  const playlist = await (await request(`${parts}c2.m3u8`)).text();
  const last = playlist.match(/^c2-\d+\.m4s$/gm)?.at(-1);
  const answer = await whenFree(() => request(parts + last));
  expect(answer.status).toBe(200);
});

import { copyFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { request } from "#tests/support/site/in-process.ts";

/** Registers a film, or a copy of a fixture, as an episode of title 1, and finds the folder of its packaged parts. */
export async function registerFilm(
  folder: string,
  film: Uint8Array | string,
  episode: number,
): Promise<string> {
  const { createSource } = await import("#app/domain/playback/sources/sources.server.ts");
  const name = `Cowboy Bebop - 0${episode}.mkv`;
  if (typeof film === "string") copyFileSync(`tests/fixtures/films/${film}`, join(folder, name));
  else writeFileSync(join(folder, name), film);
  await createSource({ malId: 1, episode, url: `media:${name}` });
  const answer = await request(`/api/episodes/getEpisode?mal_id=1&ep=${episode}`);
  const { data } = (await answer.json()) as { data: { video_url: string } };
  return new URL(data.video_url).pathname.replace(/[^/]*$/, "");
}

import { createSource } from "#app/domain/playback/playback.server.ts";
import { request } from "#tests/support/site/in-process.ts";

/** Films of title 1 that only ffmpeg reads, as the watch page asks for them. */

let episodes = 0;

/** Registers a file of MEDIA_DIR as an episode, and returns the page on which it is watched. */
export async function registerEpisode(name: string): Promise<string> {
  episodes++;
  await createSource({ malId: 1, episode: episodes, url: `media:${name}` });
  return `/watch/1/${episodes}`;
}

/** The address of a part of the film that the page names: `prepared`, or a playlist. Null: the page names none. */
export async function partNamedBy(page: string): Promise<string | null> {
  const html = await (await request(page)).text();
  return /\/play\/[\w/-]+\/(?:prepared|[\w-]+\.m3u8)/.exec(html)?.[0] ?? null;
}

type Answer = { status: number; text: string };

/** Asks for a part, as the player does. The text is the refusal's. */
export async function askFor(path: string): Promise<Answer> {
  const response = await request(path);
  if (response.ok) await response.arrayBuffer();
  const { error = "" } = response.ok ? {} : ((await response.json()) as { error?: string });
  return { status: response.status, text: error };
}

import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { eq } from "drizzle-orm";
import { db } from "#db/client.server.ts";
import { users } from "#db/schema/accounts.ts";
import { watchHistory, watchList, watchProgress } from "#db/schema/library.ts";
import { transportStream } from "#tests/support/data/film-bytes.ts";
import { generatedTitles } from "#tests/support/data/generated-titles.ts";
import { companionId, type Planted, type Step, stepsFor } from "#tests/support/requests/site-walk.ts";
import type { Visitor } from "#tests/support/requests/visitor.ts";

/** Titles with unlikely names, and walks of the site that search every answer for these names. */

const year = new Date().getUTCFullYear();
/** Occurs in the name of each planted title and in no request, so an answer that contains it did not just echo the request. */
export const marker = "zqxvhalorn";

/** `folder` is the folder of the title's film. */
export const plantedTitle = (malId: number, word: string, folder: string): Planted => ({
  malId,
  word,
  year,
  film: `${marker}-${folder}/01.mp4`,
});

export const titleOf = ({ malId, word }: Planted, fields: object) => ({
  kind: "title",
  mal_id: malId,
  title: `${word} ${marker}`,
  title_english: `${word} ${marker} english`,
  title_japanese: `${word} ${marker} japanese`,
  title_synonyms: [`${word} ${marker} synonym`],
  synopsis: `About ${marker}`,
  studios: [`Studio ${marker}`],
  type: "TV",
  episodes: 12,
  year,
  season: "Fall",
  status: "Currently Airing",
  aired_from: `${year - 1}-01-01T00:00:00Z`,
  aired_to: `${year + 1}-12-31T00:00:00Z`,
  broadcast_day: "Saturday",
  broadcast_time: "12:00",
  broadcast_timezone: "Asia/Tokyo",
  score: 9.99,
  popularity: 1,
  members: 4_000_000,
  genres: ["Action", "Comedy"],
  themes: ["School"],
  banner_image: `https://pictures.invalid/${marker}.jpg`,
  youtube_id: marker,
  external_ids: [`anidb:${malId}`],
  ...fields,
});
export const childrenOf = ({ malId, film, word }: Planted) => [
  { kind: "episode", mal_id: malId, number: 1, title: `${marker} begins`, description: marker },
  { kind: "source", mal_id: malId, number: 1, url: `media:${film}`, type: "mp4" },
  { kind: "relation", from: companionId, to: malId, relation: "sequel", name: `${word} ${marker}` },
  { kind: "relation", from: malId, to: companionId, relation: "prequel", name: "Companion" },
];
/** The titles of the catalog besides the planted ones. */
export const baseTitles = [
  titleOf(
    { malId: companionId, word: "", year, film: "" },
    {
      title: "Companion",
      title_english: null,
      title_japanese: null,
      title_synonyms: [],
      synopsis: null,
      studios: ["Bones"],
      banner_image: null,
      youtube_id: null,
      external_ids: [],
      year: year - 1,
    },
  ),
  { kind: "source", mal_id: companionId, number: 1, url: "https://films.invalid/companion.mp4", type: "mp4" },
  ...generatedTitles(30).slice(1),
];

/** Adds the planted titles to the member's list, favorites and history, half watched, and their films to the folder. */
export async function plantFor(
  userId: string,
  planted: readonly Planted[],
  { folder, on = db }: { folder: string; on?: Pick<typeof db, "insert" | "update"> },
) {
  const favoriteAnimes = planted.map(({ malId }) => malId);
  await on.update(users).set({ favoriteAnimes }).where(eq(users.id, userId));
  for (const { malId, film } of planted) {
    const of = { userId, malId };
    const at = new Date();
    await on.insert(watchList).values({ ...of, type: "Completed", score: 10, notes: marker });
    await on.insert(watchHistory).values({ ...of, episode: 1, watchedAt: at });
    await on.insert(watchProgress).values({ ...of, episode: 2, position: 30, duration: 100, at });
    mkdirSync(dirname(join(folder, film)), { recursive: true });
    writeFileSync(join(folder, film), transportStream(20));
  }
}

export type Walker = { name: string; ask(step: Step): Promise<Response>; skips?(step: Step): boolean };

export const asMember = (name: string, member: Visitor): Walker => ({
  name,
  ask: ({ path, ...init }) => member.request(path, init),
});

export type Told = { at: string; step: Step; status: number; text: string };

export async function walkAs({ name, ask, skips }: Walker, planted: readonly Planted[]): Promise<Told[]> {
  const told: Told[] = [];
  for (const step of stepsFor(planted)) {
    if (skips?.(step)) continue;
    const response = await ask(step);
    const headers = [...response.headers].map((pair) => pair.join(": ")).join("\n");
    const body = Buffer.from(await response.arrayBuffer()).toString("latin1");
    const at = `${name}: ${step.method ?? (step.json || step.form ? "POST" : "GET")} ${step.path}`;
    told.push({ at, step, status: response.status, text: `${headers}\n\n${body}` });
  }
  return told;
}

export const namesIt = ({ text }: Told) => text.toLowerCase().includes(marker);

/** Removes the parts that differ between answers: nonces, request ids, times and remaining requests. */
export const comparable = ({ status, text }: Told) =>
  `${status} ${text
    .slice(text.indexOf("\n\n"))
    .replace(/\b[\da-f]{8}-[\da-z]{1,5}\b/g, "request id")
    .replace(/nonce=\\?"[^"\\]*\\?"/g, "nonce")
    .replace(/\d{13}/g, "time")
    .replace(/\bin (?:\d+ (?:days?|hours?|minutes?) ?)+/g, "in some time")}`;

import { randomUUID } from "node:crypto";
import { eq } from "drizzle-orm";
import { expect, test } from "vitest";
import { db } from "#db/client.server.ts";
import { credentials, sessions, users } from "#db/schema/accounts.ts";
import { episodeSources, episodes, skipSegments, titles } from "#db/schema/catalog.ts";
import { watchList, watchProgress } from "#db/schema/library.ts";
import { violatedConstraint } from "#db/trouble.server.ts";

let numbers = 0;
const nextId = () => ++numbers;

async function newUser() {
  const [user] = await db
    .insert(users)
    .values({ email: `${randomUUID()}@example.org`, username: "viewer", name: "viewer" })
    .returning();
  return user!;
}
async function newTitle(fields: Partial<typeof titles.$inferInsert> = {}) {
  const malId = nextId();
  const [title] = await db
    .insert(titles)
    .values({ malId, title: `Title ${malId}`, titleKey: `title ${malId}`, ...fields })
    .returning();
  return title!;
}
const refusal = (work: PromiseLike<unknown>) =>
  Promise.resolve(work).then(() => undefined, violatedConstraint);

test("an address belongs to one account, and a new account has parental control on", async () => {
  const user = await newUser();
  expect(user).toMatchObject({ role: "user", parentalControl: true, trackSearchHistory: true });
  const again = db.insert(users).values({ email: user.email, username: "other", name: "other" });
  expect(await refusal(again)).toBe("users_email_unique");
});

test.each([
  ["users_email_normalised", { email: " padded@example.org" }],
  ["users_username_length", { username: "ab" }],
  ["users_role", { role: "root" }],
  ["users_gender", { gender: "male" }],
  ["users_accent", { accent: "red" }],
  ["users_birthday", { birthday: "1899-12-31" }],
  ["users_fanatic_level", { fanaticLevel: "otaku" }],
])("%s", async (constraint, fields) => {
  const values = { email: `${randomUUID()}@example.org`, username: "viewer", name: "viewer", ...fields };
  expect(await refusal(db.insert(users).values(values as typeof users.$inferInsert))).toBe(constraint);
});

test.each([
  ["titles_type", { type: "Film" }],
  ["titles_rating", { rating: "R - 17+ (violence & profanity)" }],
  ["titles_score", { score: 10.5 }],
  ["titles_genres", { genres: ["Action", "Nonsense"] }],
  ["titles_broadcast_time", { broadcastTime: "25:00" }],
  ["titles_season", { season: "Autumn" }],
])("%s", async (constraint, fields) => {
  expect(await refusal(newTitle(fields as Partial<typeof titles.$inferInsert>))).toBe(constraint);
});

test("what parental control hides follows from rating and genres, whoever writes them", async () => {
  const mature = async (fields: Partial<typeof titles.$inferInsert>) => (await newTitle(fields)).isMature;
  expect(await mature({})).toBe(false);
  expect(await mature({ rating: "r+" })).toBe(false);
  expect(await mature({ rating: "rx" })).toBe(true);
  expect(await mature({ genres: ["Comedy", "Hentai"] })).toBe(true);
  expect(await mature({ rating: "pg", genres: ["Erotica"] })).toBe(true);
  const title = await newTitle({ genres: ["Action", "Sci-Fi"] });
  expect(title.genreBits).toBe(2 ** 0 + 2 ** 15);
  const [edited] = await db
    .update(titles)
    .set({ rating: "rx" })
    .where(eq(titles.malId, title.malId))
    .returning();
  expect(edited?.isMature).toBe(true);
});

const day = (text: string) => new Date(`${text}T00:00:00Z`);
test.each([
  [
    "dates that are known",
    { airedFrom: day("2020-01-01"), airedTo: day("2020-03-01") },
    ["2020-01-01", "2020-03-02"],
  ],
  ["weekly slots", { type: "TV", airedFrom: day("2020-01-01"), episodes: 3 }, ["2020-01-01", "2020-01-16"]],
  ["no known end", { type: "TV", airedFrom: day("1999-10-20") }, ["1999-10-20", "infinity"]],
  ["one evening", { type: "Movie", airedFrom: day("2020-01-01") }, ["2020-01-01", "2020-01-02"]],
  ["only a word: finished", { status: "Finished Airing" }, ["-infinity", "-infinity"]],
  ["only a word: on air", { status: "Currently Airing" }, ["-infinity", "infinity"]],
  ["only a word: announced", { status: "Not yet aired" }, ["infinity", "infinity"]],
  ["nothing", {}, ["infinity", "infinity"]],
] as const)("time on air from %s", async (_name, fields, expected) => {
  const { airsFrom, airsUntil } = await newTitle(fields);
  const dates = [airsFrom, airsUntil].map((moment) =>
    moment.slice(0, moment.includes("inf") ? undefined : 10),
  );
  expect(dates).toEqual(expected);
});

test("list entries are one a title, of known titles, within bounds, and go with their user", async () => {
  const user = await newUser();
  const { malId } = await newTitle();
  const entry = { userId: user.id, malId, type: "Watching" as const };
  await db.insert(watchList).values(entry);
  expect(await refusal(db.insert(watchList).values(entry))).toBe("watch_list_user_id_mal_id_pk");
  expect(await refusal(db.insert(watchList).values({ ...entry, malId: 999_999 }))).toBe(
    "watch_list_mal_id_titles_mal_id_fk",
  );
  const other = await newTitle();
  expect(await refusal(db.insert(watchList).values({ ...entry, malId: other.malId, score: 11 }))).toBe(
    "watch_list_score",
  );
  const progress = { userId: user.id, malId, episode: 0, position: 1, duration: 2, at: new Date() };
  expect(await refusal(db.insert(watchProgress).values(progress))).toBe("watch_progress_episode");
  await db.delete(users).where(eq(users.id, user.id));
  expect(await db.select().from(watchList).where(eq(watchList.userId, user.id))).toEqual([]);
});

test("secrets are kept as hashes alone, and go with their user", async () => {
  const user = await newUser();
  const expiresAt = new Date(Date.now() + 1000);
  const plain = db.insert(sessions).values({ userId: user.id, secretHash: "secret", expiresAt });
  expect(await refusal(plain)).toBe("sessions_secret_hash");
  await db.insert(sessions).values({ userId: user.id, secretHash: "0".repeat(64), expiresAt });
  await db.insert(credentials).values({ userId: user.id, hash: "hash", cost: 12 });
  await db.delete(users).where(eq(users.id, user.id));
  expect(await db.select().from(sessions).where(eq(sessions.userId, user.id))).toEqual([]);
});

test("sources and segments belong to an episode", async () => {
  const { malId } = await newTitle();
  const source = { malId, episode: 1, url: "/film/1.m3u8", type: "hls" as const };
  expect(await refusal(db.insert(episodeSources).values(source))).toBe("episode_sources_episode");
  await db.insert(episodes).values({ malId, number: 1 });
  await db.insert(episodeSources).values(source);
  expect(await refusal(db.insert(episodeSources).values(source))).toBe("episode_sources_url");
  const segment = { malId, episode: 1, kind: "intro" as const, start: 10, end: 10 };
  expect(await refusal(db.insert(skipSegments).values(segment))).toBe("skip_segments_span");
});

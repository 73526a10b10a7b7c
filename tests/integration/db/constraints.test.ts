import { randomUUID } from "node:crypto";
import { eq } from "drizzle-orm";
import { expect, test } from "vitest";
import { db } from "#db/client.server.ts";
import { violatedConstraint } from "#db/database-errors.server.ts";
import { credentials, sessions, users } from "#db/schema/accounts.ts";
import { titles } from "#db/schema/catalog.ts";
import { episodeSources, episodes, skipSegments } from "#db/schema/episodes.ts";
import { watchList, watchProgress } from "#db/schema/library.ts";

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
const violation = (work: PromiseLike<unknown>) =>
  Promise.resolve(work).then(() => undefined, violatedConstraint);

test("a second account with the same email is refused, and a new account has parental control on", async () => {
  const user = await newUser();
  expect(user).toMatchObject({ role: "user", parentalControl: true, trackSearchHistory: true });
  const again = db.insert(users).values({ email: user.email, username: "other", name: "other" });
  expect(await violation(again)).toBe("users_email_unique");
});

test.each([
  ["users_email_normalised", { email: " padded@example.org" }],
  ["users_username_length", { username: "ab" }],
  ["users_role", { role: "root" }],
  ["users_gender", { gender: "male" }],
  ["users_accent", { accentColor: "red" }],
  ["users_birthday", { birthday: "1899-12-31" }],
  ["users_fanatic_level", { fanaticLevel: "otaku" }],
])("an invalid value violates %s", async (constraint, fields) => {
  const values = { email: `${randomUUID()}@example.org`, username: "viewer", name: "viewer", ...fields };
  expect(await violation(db.insert(users).values(values as typeof users.$inferInsert))).toBe(constraint);
});

test.each([
  ["titles_type", { type: "Film" }],
  ["titles_rating", { rating: "R - 17+ (violence & profanity)" }],
  ["titles_score", { score: 10.5 }],
  ["titles_genres", { genres: ["Action", "Nonsense"] }],
  ["titles_broadcast_time", { broadcastTime: "25:00" }],
  ["titles_season", { season: "Autumn" }],
])("an invalid value violates %s", async (constraint, fields) => {
  expect(await violation(newTitle(fields as Partial<typeof titles.$inferInsert>))).toBe(constraint);
});

test("isMature follows from rating and genres at every write", async () => {
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
  ["known dates", { airedFrom: day("2020-01-01"), airedTo: day("2020-03-01") }, ["2020-01-01", "2020-03-02"]],
  [
    "a weekly title and its number of episodes",
    { type: "TV", airedFrom: day("2020-01-01"), episodes: 3 },
    ["2020-01-01", "2020-01-16"],
  ],
  ["no known end", { type: "TV", airedFrom: day("1999-10-20") }, ["1999-10-20", "infinity"]],
  ["a film and one date", { type: "Movie", airedFrom: day("2020-01-01") }, ["2020-01-01", "2020-01-02"]],
  ["the status Finished Airing alone", { status: "Finished Airing" }, ["-infinity", "-infinity"]],
  ["the status Currently Airing alone", { status: "Currently Airing" }, ["-infinity", "infinity"]],
  ["the status Not yet aired alone", { status: "Not yet aired" }, ["infinity", "infinity"]],
  ["neither dates nor status", {}, ["infinity", "infinity"]],
] as const)("the time on air is computed from %s", async (_name, fields, expected) => {
  const { airsFrom, airsUntil } = await newTitle(fields);
  const dates = [airsFrom, airsUntil].map((date) => date.slice(0, date.includes("inf") ? undefined : 10));
  expect(dates).toEqual(expected);
});

test("a repeated, unknown or out-of-range list entry is refused, and deleting a user deletes the entries", async () => {
  const user = await newUser();
  const { malId } = await newTitle();
  const entry = { userId: user.id, malId, type: "Watching" as const };
  await db.insert(watchList).values(entry);
  expect(await violation(db.insert(watchList).values(entry))).toBe("watch_list_user_id_mal_id_pk");
  expect(await violation(db.insert(watchList).values({ ...entry, malId: 999_999 }))).toBe(
    "watch_list_mal_id_titles_mal_id_fk",
  );
  const other = await newTitle();
  expect(await violation(db.insert(watchList).values({ ...entry, malId: other.malId, score: 11 }))).toBe(
    "watch_list_score",
  );
  const progress = { userId: user.id, malId, episode: 0, position: 1, duration: 2, at: new Date() };
  expect(await violation(db.insert(watchProgress).values(progress))).toBe("watch_progress_episode");
  await db.delete(users).where(eq(users.id, user.id));
  expect(await db.select().from(watchList).where(eq(watchList.userId, user.id))).toEqual([]);
});

test("a session secret that is not a hash is refused, and deleting a user deletes the sessions", async () => {
  const user = await newUser();
  const expiresAt = new Date(Date.now() + 1000);
  const plain = db.insert(sessions).values({ userId: user.id, secretHash: "secret", expiresAt });
  expect(await violation(plain)).toBe("sessions_secret_hash");
  await db.insert(sessions).values({ userId: user.id, secretHash: "0".repeat(64), expiresAt });
  await db.insert(credentials).values({ userId: user.id, hash: "hash", cost: 12 });
  await db.delete(users).where(eq(users.id, user.id));
  expect(await db.select().from(sessions).where(eq(sessions.userId, user.id))).toEqual([]);
});

test("a source without its episode, a repeated source and an empty skip segment are refused", async () => {
  const { malId } = await newTitle();
  const source = { malId, episode: 1, url: "/film/1.m3u8", type: "hls" as const };
  expect(await violation(db.insert(episodeSources).values(source))).toBe("episode_sources_episode");
  await db.insert(episodes).values({ malId, number: 1 });
  await db.insert(episodeSources).values(source);
  expect(await violation(db.insert(episodeSources).values(source))).toBe("episode_sources_url");
  const segment = { malId, episode: 1, kind: "intro" as const, start: 10, end: 10 };
  expect(await violation(db.insert(skipSegments).values(segment))).toBe("skip_segments_span");
});

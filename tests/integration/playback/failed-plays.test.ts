import { eq } from "drizzle-orm";
import { expect, test } from "vitest";
import { createSource } from "#app/domain/playback/playback.server.ts";
import { packagedFilmPath, videoProxyPath } from "#app/paths.ts";
import { db } from "#db/client.server.ts";
import { episodeSources } from "#db/schema/episodes.ts";
import { films } from "#db/schema/films.ts";
import { failedPlays } from "#db/schema/library.ts";
import { someTitle } from "#tests/support/data/database-rows.ts";
import { newMember, Visitor } from "#tests/support/requests/visitor.ts";

/** Reports of players that a film did not play, which anybody can send. */

const url = "https://films.example/1.mp4";

async function titleWithSource(fields: Parameters<typeof someTitle>[0] = {}) {
  const malId = await someTitle({ episodes: 3, ...fields });
  await createSource({ malId, episode: 1, url });
  return malId;
}

const report = async (
  visitor: Visitor,
  malId: number,
  form: { source: string; reason: string },
  episode = 1,
) => expect((await visitor.request(`/watch/${malId}/${episode}.data`, { form })).status).toBeLessThan(300);

const recordsOf = (malId: number) =>
  db
    .select({ episode: failedPlays.episode, source: failedPlays.sourceUrl, reason: failedPlays.reason })
    .from(failedPlays)
    .where(eq(failedPlays.malId, malId));

test("a source has one record with its registered address and the newest reason, however often it is reported", async () => {
  const malId = await titleWithSource();
  const member = await newMember();
  const proxied = `${videoProxyPath()}?${new URLSearchParams({ url })}`;
  await report(member, malId, { source: url, reason: "expired" });
  await report(member, malId, { source: proxied, reason: "unsupported" });
  expect(await recordsOf(malId)).toEqual([{ episode: 1, source: url, reason: "unsupported" }]);
});

test("a packaged film is recorded as the file that is registered", async () => {
  const malId = await someTitle({ episodes: 1 });
  const file = `media:Lantern ${malId}/01.mkv`;
  await createSource({ malId, episode: 1, url: file });
  const [registered] = await db
    .select({ id: films.id })
    .from(episodeSources)
    .innerJoin(films, eq(films.id, episodeSources.filmId))
    .where(eq(episodeSources.url, file));
  const source = packagedFilmPath(registered!.id, "1", "main.m3u8");
  await report(await newMember(), malId, { source, reason: "expired" });
  expect(await recordsOf(malId)).toEqual([{ episode: 1, source: file, reason: "expired" }]);
});

test("what an episode does not have is not recorded, nor what the sender may not watch", async () => {
  const malId = await titleWithSource();
  const member = await newMember();
  const reason = "expired";
  await report(member, malId, { source: "https://films.example/invented.mp4", reason });
  await report(member, malId, { source: url, reason }, 2);
  const mature = await titleWithSource({ rating: "rx" });
  await report(member, mature, { source: url, reason });
  await report(new Visitor(), mature, { source: url, reason });
  expect([...(await recordsOf(malId)), ...(await recordsOf(mature))]).toEqual([]);
});

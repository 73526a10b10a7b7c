import { eq } from "drizzle-orm";
import { expect, test } from "vitest";
import { createAccessToken } from "#app/domain/accounts/accounts.server.ts";
import { db } from "#db/client.server.ts";
import { watchHistory, watchList, watchProgress } from "#db/schema/library.ts";
import { someTitle, someUser } from "#tests/support/data/database-rows.ts";
import { newAddress, request } from "#tests/support/site/in-process.ts";

/** An evening on which two hundred people watch the same episode. */

const viewers = 200;
const everyMs = 10_000;
const duration = 60;
/** Every ten seconds, then once more on leaving: half of them stop here, half watch on to the end. */
const placesOf = (viewer: number) => (viewer % 2 === 0 ? [10, 20, 37] : [10, 20, 59]);

type Report = { token: string; address: string; position: number; at: string };

test("reports of 200 viewers, in any order and many at once: none is lost, none turns back", {
  timeout: 60_000,
}, async () => {
  const malId = await someTitle({ episodes: 12 });
  const began = Date.now() - 10 * everyMs;
  const people = await Promise.all(
    Array.from({ length: viewers }, async (_, viewer) => {
      const userId = await someUser();
      const made = await createAccessToken(userId, { name: "player", scope: "write" });
      if (!made.ok) throw new Error(made.reason);
      // Spread over ten seconds, as people are.
      const start = began + (viewer * everyMs) / viewers;
      const reports = placesOf(viewer).map(
        (position, index): Report => ({
          token: made.value.token,
          address: newAddress(),
          position,
          at: new Date(start + index * everyMs).toISOString(),
        }),
      );
      return { userId, viewer, reports };
    }),
  );
  await db
    .insert(watchList)
    .values(people.map(({ userId }) => ({ userId, malId, type: "Watching" as const })));

  // The last one often overtakes those before it, and a browser may send it twice.
  const sent = people.flatMap(({ reports }) => [...reports, ...reports.slice(-1)]);
  const answers = await Promise.all(shuffled(sent).map((report) => send(malId, report)));
  expect(new Set(answers)).toEqual(new Set([200]));

  const places = await db.select().from(watchProgress).where(eq(watchProgress.malId, malId));
  const seen = await db.select().from(watchHistory).where(eq(watchHistory.malId, malId));
  const listed = await db.select().from(watchList).where(eq(watchList.malId, malId));
  const placeOf = new Map(places.map((place) => [place.userId, place]));
  for (const { userId, viewer, reports } of people) {
    const last = reports.at(-1);
    const place = placeOf.get(userId);
    expect({ viewer, position: place?.position, at: place?.at.toISOString() }).toEqual({
      viewer,
      position: last?.position,
      at: last?.at,
    });
  }
  const finished = people.filter(({ viewer }) => placesOf(viewer).includes(59)).map(({ userId }) => userId);
  expect(new Set(seen.map(({ userId }) => userId))).toEqual(new Set(finished));
  const movedOn = listed.filter(({ progress }) => progress === 1).map(({ userId }) => userId);
  expect(new Set(movedOn)).toEqual(new Set(finished));
});

async function send(malId: number, { token, address, position, at }: Report): Promise<number> {
  const response = await request("/api/user/progress", {
    method: "PUT",
    address,
    headers: { "Content-Type": "application/json", Authorization: `Bearer ${token}` },
    body: JSON.stringify({ mal_id: malId, ep: 1, position, duration, at }),
  });
  await response.arrayBuffer();
  return response.status;
}

/** Mixed, and the same way every time. */
function shuffled<Item>(items: readonly Item[]): Item[] {
  const keyed = items.map((item, index) => ({ item, key: Math.imul(index + 1, 0x9e3779b1) >>> 0 }));
  return keyed.sort((a, b) => a.key - b.key).map(({ item }) => item);
}

import { eq } from "drizzle-orm";
import { expect, test } from "vitest";
import { db } from "#db/client.server.ts";
import { watchHistory, watchList, watchProgress } from "#db/schema/library.ts";
import { someTitle } from "#tests/support/data/database-rows.ts";
import { newMember } from "#tests/support/requests/visitor.ts";
import { whenFree } from "#tests/support/requests/when-free.ts";
import { newAddress, request } from "#tests/support/site/in-process.ts";

/** 24 members watch the same episode at the same time. */

const memberCount = 24;
const reportIntervalMs = 10_000;
const duration = 60;
/** The positions that a member reports: every ten seconds, and once when they leave. Half of them watch to the end. */
const positionsOf = (index: number) => (index % 2 === 0 ? [10, 20, 37] : [10, 20, 59]);

type Report = { token: string; address: string; position: number; at: string };

test("after mixed, simultaneous reports of 24 members, each has the last position, and finishers have watched it", async () => {
  const malId = await someTitle({ episodes: 12 });
  const began = Date.now() - 10 * reportIntervalMs;
  const people = await Promise.all(
    Array.from({ length: memberCount }, async (_, index) => {
      const member = await newMember();
      const made = await member.request("/api/auth/tokens", { json: { name: "player", scope: "write" } });
      const { data } = (await made.json()) as { data: { token: string } };
      const start = began + (index * reportIntervalMs) / memberCount;
      const reports = positionsOf(index).map(
        (position, reportIndex): Report => ({
          token: data.token,
          address: newAddress(),
          position,
          at: new Date(start + reportIndex * reportIntervalMs).toISOString(),
        }),
      );
      return { userId: member.id, index, reports };
    }),
  );
  await db
    .insert(watchList)
    .values(people.map(({ userId }) => ({ userId, malId, type: "Watching" as const })));

  // A browser may send its last report twice, and often before earlier reports arrive.
  const sent = people.flatMap(({ reports }) => [...reports, ...reports.slice(-1)]);
  const answers = await Promise.all(shuffled(sent).map((report) => send(malId, report)));
  expect(new Set(answers)).toEqual(new Set([200]));

  const resumePoints = await db.select().from(watchProgress).where(eq(watchProgress.malId, malId));
  const seen = await db.select().from(watchHistory).where(eq(watchHistory.malId, malId));
  const listed = await db.select().from(watchList).where(eq(watchList.malId, malId));
  const resumePointOf = new Map(resumePoints.map((resumePoint) => [resumePoint.userId, resumePoint]));
  for (const { userId, index, reports } of people) {
    const last = reports.at(-1);
    const resumePoint = resumePointOf.get(userId);
    expect({ index, position: resumePoint?.position, at: resumePoint?.at.toISOString() }).toEqual({
      index,
      position: last?.position,
      at: last?.at,
    });
  }
  const finished = people.filter(({ index }) => positionsOf(index).includes(59)).map(({ userId }) => userId);
  expect(new Set(seen.map(({ userId }) => userId))).toEqual(new Set(finished));
  const movedOn = listed.filter(({ progress }) => progress === 1).map(({ userId }) => userId);
  expect(new Set(movedOn)).toEqual(new Set(finished));
});

async function send(malId: number, { token, address, position, at }: Report): Promise<number> {
  const report = () =>
    request("/api/user/progress", {
      method: "PUT",
      address,
      headers: { "Content-Type": "application/json", Authorization: `Bearer ${token}` },
      body: JSON.stringify({ mal_id: malId, ep: 1, position, duration, at }),
    });
  const response = await whenFree(report);
  await response.arrayBuffer();
  return response.status;
}

/** A mixed order that is the same in every run, so that a failure can be repeated. */
function shuffled<Item>(items: readonly Item[]): Item[] {
  const keyed = items.map((item, index) => ({ item, key: Math.imul(index + 1, 0x9e3779b1) >>> 0 }));
  return keyed.sort((a, b) => a.key - b.key).map(({ item }) => item);
}

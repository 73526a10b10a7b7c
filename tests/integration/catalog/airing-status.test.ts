import { eq } from "drizzle-orm";
import { expect, test } from "vitest";
import { currentStatus } from "#app/domain/catalog/catalog.server.ts";
import { db } from "#db/client.server.ts";
import { titles } from "#db/schema/catalog.ts";
import { someTitle } from "#tests/support/data/database-rows.ts";

const day = 24 * 60 * 60 * 1000;
const daysAgo = (days: number) => new Date(Date.now() - days * day);

test.each([
  ["that ended today", { type: "TV", airedFrom: daysAgo(80), airedTo: daysAgo(0) }, "Currently Airing"],
  ["that ended yesterday", { type: "TV", airedFrom: daysAgo(80), airedTo: daysAgo(2) }, "Currently Airing"],
  [
    "whose twelfth week was days ago, and which may have been postponed",
    { type: "TV", airedFrom: daysAgo(82), episodes: 12 },
    "Currently Airing",
  ],
  ["that ended weeks ago", { type: "TV", airedFrom: daysAgo(99), airedTo: daysAgo(15) }, "Finished Airing"],
  [
    "whose twelfth week was weeks ago",
    { type: "ONA", airedFrom: daysAgo(99), episodes: 12 },
    "Finished Airing",
  ],
  ["that is a movie of last week", { type: "Movie", airedFrom: daysAgo(6) }, "Finished Airing"],
] as const)("a title %s", async (_, fields, expected) => {
  const malId = await someTitle(fields);
  const [row] = await db.select({ status: currentStatus }).from(titles).where(eq(titles.malId, malId));
  expect(row?.status).toBe(expected);
});

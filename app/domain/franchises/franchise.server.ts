import { and, eq, inArray, ne, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/pg-core";
import { getVisibleTitle, listTitlesById } from "#app/domain/catalog/catalog.server.ts";
import { minutesIn, type Title } from "#app/domain/catalog/catalog.ts";
import { done, type Outcome } from "#app/domain/errors.ts";
import { type Viewer, visibleTo } from "#app/domain/visibility/visibility.server.ts";
import { db } from "#db/client.server.ts";
import { titles } from "#db/schema/catalog.ts";
import { franchiseConnections, franchiseTitles } from "#db/schema/franchises.ts";
import type { FranchiseMark } from "./order/arrange.ts";

/** Reads a franchise as a viewer sees it: every place and count is of the titles that this viewer may see. */

type FranchisePart = {
  title: Title;
  mark: FranchiseMark;
  /** The place in the order of release, from 1. */
  released: number;
  /** The place in the main line, from 1. Null for titles beside it. */
  mainPart: number | null;
  /** Why the title may be skipped; null if it tells a story of its own. */
  summary: Summary | null;
  /** The length of all episodes; null if it is not known. */
  minutes: number | null;
};

/** `of` is null if the viewer cannot see the title that is summed up. `untilEpisode` is null if nobody knows it. */
type Summary = { of: Title | null; untilEpisode: number | null };

export type Franchise = {
  id: number;
  name: string;
  /** In the order of the story. */
  parts: FranchisePart[];
  mainParts: number;
  /** Other franchises that are related to this one, each by the title that the relation leads to. */
  connected: { id: number; title: Title }[];
};

/** Null for a title that has no franchise, or none of which the viewer sees more than this title. */
export async function findFranchise(malId: number, viewer: Viewer): Promise<Outcome<Franchise | null>> {
  const title = await getVisibleTitle(malId, viewer);
  return title.ok ? done(await readFranchise(malId, viewer)) : title;
}

async function readFranchise(malId: number, viewer: Viewer): Promise<Franchise | null> {
  const own = alias(franchiseTitles, "own");
  const rows = await db
    .select({
      franchiseId: franchiseTitles.franchiseId,
      malId: franchiseTitles.malId,
      mark: franchiseTitles.mark,
      released: franchiseTitles.released,
      summaryOf: franchiseTitles.summaryOf,
      summaryUntil: franchiseTitles.summaryUntil,
    })
    .from(own)
    .innerJoin(franchiseTitles, eq(franchiseTitles.franchiseId, own.franchiseId))
    .innerJoin(titles, eq(titles.malId, franchiseTitles.malId))
    .where(and(eq(own.malId, malId), visibleTo(viewer)))
    .orderBy(franchiseTitles.story);
  const [first] = rows;
  if (!first || !rows.some((row) => row.malId === malId)) return null;
  const malIds = rows.map((row) => row.malId);
  const [shown, connected] = await Promise.all([
    listTitlesById(malIds, viewer),
    listConnected(malIds, first.franchiseId, viewer),
  ]);
  if (rows.length === 1 && connected.length === 0) return null;
  const titleOf = new Map(shown.map((title) => [title.malId, title]));
  const released = [...rows].sort((one, other) => one.released - other.released).map((row) => row.malId);
  let mainParts = 0;
  const parts = rows.flatMap((row): FranchisePart[] => {
    const title = titleOf.get(row.malId);
    if (!title) return [];
    return [
      {
        title,
        mark: row.mark,
        released: released.indexOf(row.malId) + 1,
        mainPart: row.mark === "main" ? ++mainParts : null,
        summary:
          row.summaryOf === null
            ? null
            : { of: titleOf.get(row.summaryOf) ?? null, untilEpisode: row.summaryUntil },
        minutes: minutesOf(title),
      },
    ];
  });
  return { id: first.franchiseId, name: nameOf(parts), parts, mainParts, connected };
}

function minutesOf({ duration, episodes }: Title): number | null {
  const perEpisode = minutesIn(duration);
  return perEpisode === null || episodes === null ? null : perEpisode * episodes;
}

/** The name of the first title of the main line that came out. */
function nameOf(parts: readonly FranchisePart[]): string {
  const main = parts.filter(({ mark }) => mark === "main");
  const [first] = [...(main.length > 0 ? main : parts)].sort((one, other) => one.released - other.released);
  return first?.title.title ?? "";
}

async function listConnected(
  malIds: readonly number[],
  franchiseId: number,
  viewer: Viewer,
): Promise<Franchise["connected"]> {
  const rows = await db
    .select({ id: franchiseTitles.franchiseId, malId: sql<number>`min(${franchiseTitles.malId})` })
    .from(franchiseConnections)
    .innerJoin(franchiseTitles, eq(franchiseTitles.malId, franchiseConnections.relatedId))
    .innerJoin(titles, eq(titles.malId, franchiseTitles.malId))
    .where(
      and(
        inArray(franchiseConnections.malId, [...malIds]),
        ne(franchiseTitles.franchiseId, franchiseId),
        visibleTo(viewer),
      ),
    )
    .groupBy(franchiseTitles.franchiseId)
    .orderBy(franchiseTitles.franchiseId);
  const shown = await listTitlesById(
    rows.map(({ malId }) => malId),
    viewer,
  );
  const titleOf = new Map(shown.map((title) => [title.malId, title]));
  return rows.flatMap(({ id, malId }) => {
    const title = titleOf.get(malId);
    return title ? [{ id, title }] : [];
  });
}

/** The title and all others of its franchise, for rules that count the same for every viewer. */
export async function listFranchiseTitles(malId: number): Promise<number[]> {
  const own = alias(franchiseTitles, "own");
  const rows = await db
    .select({ malId: franchiseTitles.malId })
    .from(own)
    .innerJoin(franchiseTitles, eq(franchiseTitles.franchiseId, own.franchiseId))
    .where(eq(own.malId, malId))
    .orderBy(franchiseTitles.story);
  return rows.length === 0 ? [malId] : rows.map((row) => row.malId);
}

/** Keeps only the first title of each franchise, and all titles without one. */
export async function firstOfEachFranchise(malIds: readonly number[]): Promise<number[]> {
  const rows = await db
    .select({ malId: franchiseTitles.malId, franchiseId: franchiseTitles.franchiseId })
    .from(franchiseTitles)
    .where(inArray(franchiseTitles.malId, [...malIds]));
  const franchiseOf = new Map(rows.map((row) => [row.malId, row.franchiseId]));
  const seen = new Set<number>();
  return malIds.filter((malId) => {
    const franchise = franchiseOf.get(malId);
    if (franchise === undefined) return true;
    return !seen.has(franchise) && seen.add(franchise);
  });
}

import { and, asc, eq, inArray, lt, sql } from "drizzle-orm";
import { readTagNumbers, type TagNumberOf } from "#app/domain/catalog/catalog.server.ts";
import {
  firstMalIdOfEngawa,
  firstOwnNumber,
  kindsOfTagLists,
  ratingLabels,
} from "#app/domain/catalog/catalog.ts";
import {
  columnsWithout,
  isUnknown,
  listRecords,
  mergeRecords,
  type SourcedFields,
} from "#app/domain/catalog-import/catalog-import.server.ts";
import { anybody, grownUpVisitor, seesFilms, visibleTo } from "#app/domain/visibility/visibility.server.ts";
import { db } from "#db/client.server.ts";
import { titles } from "#db/schema/catalog.ts";
import { titleChanges } from "#db/schema/catalog-state.ts";
import { episodes, skipSegments } from "#db/schema/episodes.ts";
import { copyFields, idsOfTitles, listExportedRelations } from "./export.server.ts";
import { closedFields, ownPictures, shareableIds } from "./shareable.ts";
import { titlesOfPage } from "./title-pages.server.ts";

/**
 * The changed titles for other installations, limited to what their sources allow to share. Hidden titles, local titles
 * and playable sources are left out. For an adult title, the line says only that it is adult.
 */

/** The last change that a reader has read. The reader continues after it. */
export type ChangePosition = { version: number; malId: number };

/**
 * Returns a function that reads the next page of changed titles, the oldest change first, and null after the last page.
 * Titles that change meanwhile come on a later page.
 */
export async function openChanges(since: ChangePosition) {
  const numberOf = await readTagNumbers();
  let end = since;
  return async () => {
    const changes = await selectChanged(end);
    const last = changes.at(-1)?.change;
    if (!last) return null;
    end = { version: last.version, malId: last.malId };
    return { titles: changes.length, lines: await linesOf(changes, numberOf), end };
  };
}

function selectChanged({ version, malId }: ChangePosition) {
  const behind = and(
    sql`(${titleChanges.version}, ${titleChanges.malId}) > (${version}::bigint, ${malId}::int)`,
    lt(titleChanges.malId, firstMalIdOfEngawa),
    visibleTo(grownUpVisitor),
  );
  return db
    .select({ change: titleChanges, row: titles })
    .from(titleChanges)
    .innerJoin(titles, eq(titles.malId, titleChanges.malId))
    .where(
      and(
        behind,
        titlesOfPage(sql`
          select ${titleChanges.malId}, (${titleChanges.version}, ${titleChanges.malId}) as place
          from ${titleChanges} join ${titles} on ${titles.malId} = ${titleChanges.malId} where ${behind}`),
      ),
    )
    .orderBy(asc(titleChanges.version), asc(titleChanges.malId));
}

type ChangedTitle = Awaited<ReturnType<typeof selectChanged>>[number];

async function linesOf(changes: readonly ChangedTitle[], numberOf: TagNumberOf): Promise<object[]> {
  const malIds = changes.filter(({ row }) => !row.isMature).map(({ row }) => row.malId);
  const [ids, records, children] = await Promise.all([
    idsOfTitles(malIds),
    listRecords(malIds),
    listChildren(malIds),
  ]);
  return changes.flatMap(({ row }) =>
    row.isMature
      ? [adultLine(row)]
      : [
          titleLine(row, ids.get(row.malId) ?? [], records.get(row.malId) ?? [], numberOf),
          ...(children.get(row.malId) ?? []),
        ],
  );
}

/** An installation that already has the title must learn that it is adult, and nothing more. */
const adultLine = ({ malId, rating, genres }: ChangedTitle["row"]) => ({
  kind: "adult",
  mal_id: malId,
  ...(rating !== null && { rating: ratingLabels[rating] }),
  ...(genres.length > 0 && { genres }),
});

/** A missing field means unknown. `none` names the fields that are known to be empty. */
function titleLine(
  row: ChangedTitle["row"],
  ids: readonly string[],
  records: readonly SourcedFields[],
  numberOf: TagNumberOf,
) {
  const closed = [...Object.keys(closedFields(row, records)), ...ownPictures(row)];
  const open = { ...row, ...Object.fromEntries(closed.map((name) => [name, null])) };
  const fields = copyFields({
    ...open,
    externalIds: shareableIds(ids, records),
    rating: row.rating && ratingLabels[row.rating],
  });
  const known = Object.entries(fields).filter(([, value]) => !isUnknown(value));
  const none = columnsWithout(mergeRecords(records));
  return {
    kind: "title",
    ...Object.fromEntries(known),
    tag_numbers: tagNumbersOf(row, numberOf),
    ...(none.length > 0 && { none }),
  };
}

type TagList = keyof typeof kindsOfTagLists;

/** Only MyAnimeList's numbers are sent. The receiver assigns its own numbers to the other tags. */
const tagNumbersOf = (row: Pick<ChangedTitle["row"], TagList>, numberOf: TagNumberOf) =>
  (Object.keys(kindsOfTagLists) as TagList[]).flatMap((list) =>
    row[list].flatMap((name) => {
      const kind = kindsOfTagLists[list];
      const number = numberOf(kind, name);
      return number !== undefined && number < firstOwnNumber ? { kind, mal_id: number, name } : [];
    }),
  );

/** An episode row without any data only shows that this site has a film of it, so it is not shared. */
const isKnownEpisode = sql`num_nonnulls(${episodes.title}, ${episodes.airedAt}, ${episodes.durationSeconds}) > 0`;

/** Skip segments reveal that a film exists, so they are shared only if everybody may see films. */
const listSkips = (malIds: number[]) =>
  seesFilms(anybody)
    ? db
        .select()
        .from(skipSegments)
        .where(inArray(skipSegments.malId, malIds))
        .orderBy(skipSegments.malId, skipSegments.episode, skipSegments.kind, skipSegments.start)
    : [];

/**
 * Relations, episodes and skip segments, by title. Episode texts and pictures are left out, because the receiver could
 * not delete them later.
 */
async function listChildren(malIds: readonly number[]): Promise<Map<number, object[]>> {
  const ids = [...malIds];
  const [relations, known, skips] = await Promise.all([
    listExportedRelations(ids, anybody),
    db
      .select({
        malId: episodes.malId,
        number: episodes.number,
        title: episodes.title,
        airedAt: episodes.airedAt,
        durationSeconds: episodes.durationSeconds,
      })
      .from(episodes)
      .where(and(inArray(episodes.malId, ids), isKnownEpisode))
      .orderBy(episodes.malId, episodes.number),
    listSkips(ids),
  ]);
  const children = new Map<number, object[]>(ids.map((malId) => [malId, []]));
  for (const from of ids) {
    const shared = (relations.get(from) ?? []).filter(({ malId }) => malId < firstMalIdOfEngawa);
    for (const { malId: to, relation, name } of shared)
      children.get(from)?.push({ kind: "relation", from, to, relation, ...(name !== null && { name }) });
    // The receiver deletes relations from this catalog that are missing in this list.
    const only = shared.map(({ malId: to, relation }) => ({ to, relation }));
    children.get(from)?.push({ kind: "relations", from, only });
  }
  for (const { malId, number, title, airedAt: date, durationSeconds: duration } of known)
    children.get(malId)?.push({ kind: "episode", mal_id: malId, number, title, date, duration });
  for (const { malId, episode: number, kind: segment, start, end } of skips)
    children.get(malId)?.push({ kind: "skip", mal_id: malId, number, segment, start, end });
  return children;
}

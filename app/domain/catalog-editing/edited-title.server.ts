import { and, asc, between, desc, eq, sql } from "drizzle-orm";
import { dateIn, japanTimeZone } from "#app/domain/calendar/calendar.ts";
import { countEpisodes } from "#app/domain/catalog/catalog.server.ts";
import { noSuchTitle, type RelationKind } from "#app/domain/catalog/catalog.ts";
import {
  byRank,
  fieldNames,
  knownFields,
  listRecords,
  mergeRecords,
  type SourcedFields,
  sourceOf,
  type TitleSource,
  writtenColumns,
} from "#app/domain/catalog-import/catalog-import.server.ts";
import type { TitleFields } from "#app/domain/catalog-import/catalog-import.ts";
import { done, type Outcome } from "#app/domain/errors.ts";
import { catalogKeeper } from "#app/domain/visibility/visibility.server.ts";
import { db } from "#db/client.server.ts";
import { users } from "#db/schema/accounts.ts";
import { titleRelations, titles } from "#db/schema/catalog.ts";
import { episodeRecords, relationRecords, titleEdits } from "#db/schema/edits.ts";
import { episodes } from "#db/schema/episodes.ts";
import {
  columnsOf,
  type EditedField,
  type editedEpisodeColumns,
  episodeField,
  type FieldState,
  relationField,
} from "./edited-fields.server.ts";
import { type TextFieldName, textFieldNames, textFields } from "./text-fields.ts";

/** A title for the edit pages: each field with its source, whether it is locked, and the edits made. */

export type ShownField = {
  field: EditedField;
  text: string;
  /** Null if no source has the field. `operator` means that the field is locked. */
  source: TitleSource | null;
  /** The value the field would have if it were unlocked. */
  unlocked: { text: string; source: TitleSource | null } | null;
};

export type EditedTitle = {
  malId: number;
  title: string;
  fields: Record<TextFieldName | "picture", ShownField>;
  /** The number of episodes, including those beyond the title's own count that have a row. */
  episodeCount: number;
};

export async function getEditedTitle(malId: number): Promise<Outcome<EditedTitle>> {
  const [row] = await db.select(writtenColumns).from(titles).where(eq(titles.malId, malId));
  if (!row) return noSuchTitle;
  const stored = (await listRecords([malId])).get(malId);
  // A title that was last imported before records existed has none. Its row stands in for them.
  const records: SourcedFields[] = stored ?? [
    { source: "before", fields: knownFields(row as never, fieldNames) },
  ];
  const names = [...textFieldNames, "picture"] as const;
  return done({
    malId,
    title: row.title,
    episodeCount: await countEpisodes(row, catalogKeeper),
    fields: Object.fromEntries(
      names.map((name) => [name, shownField(name, records)]),
    ) as EditedTitle["fields"],
  });
}

const textOf = (name: TextFieldName | "picture", fields: TitleFields) =>
  name === "picture"
    ? (fields.imageLargeWebp ?? fields.imageWebp ?? fields.imageUrl ?? "")
    : textFields[name].toText(fields);

function shownField(name: TextFieldName | "picture", records: readonly SourcedFields[]): ShownField {
  const columns = columnsOf(name);
  const sourceIn = (all: readonly SourcedFields[]) =>
    columns.map((column) => sourceOf(column, all)).find((source) => source !== undefined) ?? null;
  const source = sourceIn(records);
  const others = records.filter((record) => record.source !== "operator");
  return {
    field: name,
    source,
    text: textOf(name, mergeRecords(records)),
    unlocked:
      source === "operator" ? { text: textOf(name, mergeRecords(others)), source: sourceIn(others) } : null,
  };
}

export type EditedEpisode = { number: number; title: ShownField; airedAt: ShownField };

/** The episodes from `first` to `last`, including those that have only a number. */
export async function listEditedEpisodes(
  malId: number,
  first: number,
  last: number,
): Promise<EditedEpisode[]> {
  const [rows, records] = await Promise.all([
    db
      .select()
      .from(episodes)
      .where(and(eq(episodes.malId, malId), between(episodes.number, first, last))),
    db
      .select()
      .from(episodeRecords)
      .where(and(eq(episodeRecords.malId, malId), between(episodeRecords.number, first, last))),
  ]);
  return Array.from({ length: Math.max(0, last - first + 1) }, (_, at): EditedEpisode => {
    const number = first + at;
    const row = rows.find((one) => one.number === number);
    const recordsOfEpisode = records.filter((one) => one.number === number).sort(byRank);
    const show = (column: (typeof editedEpisodeColumns)[number]): ShownField => {
      const values = recordsOfEpisode.flatMap((record) => {
        const fields = record.fields as Record<string, string | null>;
        return column in fields ? [{ source: record.source, text: toText(column, fields[column]) }] : [];
      });
      const other = values.find(({ source }) => source !== "operator") ?? { source: null, text: "" };
      const stored = toText(column, row?.[column]);
      return {
        field: episodeField(number, column),
        text: stored,
        source: values[0]?.source ?? (stored === "" ? null : "before"),
        unlocked: values[0]?.source === "operator" ? other : null,
      };
    };
    return { number, title: show("title"), airedAt: show("airedAt") };
  });
}

const toText = (column: (typeof editedEpisodeColumns)[number], value: string | Date | null | undefined) =>
  column === "airedAt" && value ? dateIn(new Date(value), japanTimeZone) : String(value ?? "");

export type EditedRelation = {
  field: EditedField;
  relation: RelationKind;
  relatedId: number;
  name: string | null;
  isPresent: boolean;
  source: TitleSource;
};

/** The relations of a title, including those that the operator removed. */
export async function listEditedRelations(malId: number): Promise<EditedRelation[]> {
  const rows = await db.execute<Omit<EditedRelation, "field" | "source"> & { sources: TitleSource[] }>(sql`
    select relation, related_id as "relatedId", coalesce(related.title, max(one.name)) as name,
      bool_or(one.is_listed) as "isPresent", array_remove(array_agg(one.source), null) as sources
    from (
      select related_id, relation, name, true as is_listed, null as source from ${titleRelations}
      where mal_id = ${malId}
      union all
      select related_id, relation, name, false, source from ${relationRecords} where mal_id = ${malId}
    ) one left join ${titles} related on related.mal_id = one.related_id
    group by relation, related_id, related.title order by relation, related_id`);
  return rows.map(({ sources, ...row }) => ({
    ...row,
    field: relationField(row.relatedId, row.relation),
    source: sources.map((source) => ({ source })).sort(byRank)[0]?.source ?? "before",
  }));
}

export type ListedEdit = {
  id: string;
  at: Date;
  /** Null if the operator's account was deleted. */
  by: { id: string; name: string } | null;
  field: EditedField;
  before: FieldState;
  after: FieldState;
  /** Only the newest edit of a field can be undone. */
  canUndo: boolean;
};

/** The edits of a title, the newest first. */
export async function listEdits(malId: number, limit: number): Promise<ListedEdit[]> {
  const rows = await db
    .select({
      id: titleEdits.id,
      at: titleEdits.at,
      field: titleEdits.field,
      before: titleEdits.before,
      after: titleEdits.after,
      userId: users.id,
      name: users.name,
      canUndo: sql<boolean>`row_number() over (partition by ${titleEdits.field} order by ${titleEdits.at} desc) = 1`,
    })
    .from(titleEdits)
    .leftJoin(users, eq(users.id, titleEdits.userId))
    .where(eq(titleEdits.malId, malId))
    .orderBy(desc(titleEdits.at), asc(titleEdits.id))
    .limit(limit);
  return rows.map(({ field, before, after, userId, name, ...row }) => ({
    ...row,
    by: userId === null ? null : { id: userId, name: name ?? "" },
    field: field as EditedField,
    before: before as FieldState,
    after: after as FieldState,
  }));
}

import { getTableColumns, inArray, sql } from "drizzle-orm";
import { sortKey, wordKey } from "#app/domain/names/names.ts";
import { groupBy } from "#app/platform/lists.ts";
import { days } from "#app/platform/units.ts";
import { db, type Transaction } from "#db/client.server.ts";
import { titleRecords, titles } from "#db/schema/catalog.ts";
import { termsOf } from "./sources.ts";
import {
  type FieldName,
  isUnknown,
  knownFields,
  type SourcedFields,
  type TitleFields,
  updateFields,
} from "./title-fields.ts";

/** Stores the records of titles, and builds a title's row from them. */

export type TitleInsert = typeof titles.$inferInsert;

const { genreBits, isMature, hasBanner, airsFrom, airsUntil, updatedAt, hiddenAt, ...written } =
  getTableColumns(titles);
/** The columns of `titles` that an import writes. */
export const writtenColumns = written;
const { malId: _malId, titleKey: _titleKey, studioKeys: _studioKeys, ...described } = written;
const columnNames = Object.keys(described) as Exclude<FieldName, "externalIds">[];
export const fieldNames: readonly FieldName[] = [...columnNames, "externalIds"];

/** The column names of the fields that a source declares empty. */
export const columnsWithout = (fields: TitleFields): string[] =>
  columnNames.filter((name) => name in fields && isUnknown(fields[name])).map((name) => described[name].name);

/** The reverse of `columnsWithout`. */
export const fieldsWithout = (names: readonly string[]): TitleFields =>
  Object.fromEntries(
    columnNames
      .filter((name) => name !== "title" && name !== "approved" && names.includes(described[name].name))
      .map((name) => [name, described[name].notNull ? [] : null]),
  );

const emptyRow = Object.fromEntries(
  columnNames.map((name) => [name, described[name].notNull ? [] : null]),
) as Partial<TitleInsert>;
const dateNames = ["airedFrom", "airedTo"] as const;

export function rowOf(malId: number, { externalIds: _, ...fields }: TitleFields): TitleInsert {
  const title = fields.title ?? "";
  const row = { ...emptyRow, approved: true, ...fields, malId, title } as TitleInsert;
  for (const name of dateNames) row[name] = fields[name] ? new Date(fields[name]) : null;
  return { ...row, titleKey: sortKey(title), studioKeys: (row.studios ?? []).map(wordKey) };
}

type SourcedUpdate = SourcedFields & { isWhole?: boolean };
type StoredRecord = SourcedFields & { seenAt: Date; isChanged: boolean };

/** The records of some titles, with changes that are not written yet. */
export class RecordSet {
  readonly #records: Map<number, StoredRecord[]>;

  private constructor(records: Map<number, StoredRecord[]>) {
    this.#records = records;
  }

  /** A known title without records gets one with the values of its row. */
  static async read(transaction: Transaction, known: ReadonlyMap<number, TitleInsert>): Promise<RecordSet> {
    const stored = (await selectRecords(transaction, [...known.keys()])).map((record) => ({
      ...record,
      isChanged: false,
    }));
    const records: Map<number, StoredRecord[]> = groupBy(stored, ({ malId }) => malId);
    for (const [malId, row] of known)
      if (!records.has(malId)) {
        const fields = knownFields(row as never, columnNames);
        records.set(malId, [{ source: "before", fields, seenAt: new Date(), isChanged: true }]);
      }
    return new RecordSet(records);
  }

  of(malId: number): readonly SourcedFields[] {
    return this.#records.get(malId) ?? [];
  }

  /**
   * Returns false if the source's data is unchanged. With `isWhole`, fields missing from the new record are deleted.
   */
  add(
    malId: number,
    { source, fields, isWhole = termsOf[source].hasCompleteRecords ?? false }: SourcedUpdate,
  ): boolean {
    const records = this.#records.get(malId) ?? [];
    this.#records.set(malId, records);
    const before = records.find((one) => one.source === source);
    if (!before) {
      records.push({ source, fields, seenAt: new Date(), isChanged: true });
      return true;
    }
    const later = isWhole ? fields : updateFields(before.fields, fields);
    const isNews = !isSame(before.fields, later);
    if (isNews || Date.now() - before.seenAt.getTime() > days(1)) {
      before.isChanged = true;
      before.seenAt = new Date();
    }
    before.fields = later;
    return isNews;
  }

  /** Writes the changed records. The rows of new titles must exist already. */
  async write(transaction: Transaction): Promise<void> {
    const values = [...this.#records].flatMap(([malId, records]) =>
      records
        .filter(({ isChanged }) => isChanged)
        .map(({ source, fields, seenAt }) => ({ malId, source, fields, seenAt })),
    );
    // Two imports that write the same records in different orders would deadlock.
    values.sort((a, b) => a.malId - b.malId || (a.source < b.source ? -1 : 1));
    if (values.length === 0) return;
    // All rows are one parameter. A statement with one parameter per value takes as long to build as the rest of the
    // import.
    await transaction.execute(sql`
      insert into ${titleRecords} (mal_id, source, fields, seen_at)
      select "malId", source, fields, "seenAt"
        from jsonb_to_recordset(${JSON.stringify(values)}::text::jsonb)
          as sourced ("malId" int, source text, fields jsonb, "seenAt" timestamptz)
      on conflict (mal_id, source) do update set fields = excluded.fields, seen_at = excluded.seen_at`);
  }
}

const isSame = (one: TitleFields, other: TitleFields) =>
  fieldNames.every((name) => isSameValue(one[name], other[name]));

const isSameValue = (one: unknown, other: unknown): boolean =>
  one === other ||
  (Array.isArray(one) &&
    Array.isArray(other) &&
    one.length === other.length &&
    one.every((value, at) => value === other[at]));

async function selectRecords(transaction: Transaction | typeof db, malIds: readonly number[]) {
  if (malIds.length === 0) return [];
  const rows = await transaction
    .select()
    .from(titleRecords)
    .where(inArray(titleRecords.malId, [...malIds]));
  return rows.map((row) => ({ ...row, fields: row.fields as TitleFields }));
}

/** The records of titles, by title id. A title from before records existed may have none. */
export async function listRecords(malIds: readonly number[]): Promise<Map<number, SourcedFields[]>> {
  return groupBy(await selectRecords(db, malIds), ({ malId }) => malId);
}

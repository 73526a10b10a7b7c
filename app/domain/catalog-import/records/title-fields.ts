import { type ExternalId, formatExternalId, parseExternalId } from "#app/domain/external-ids/external-ids.ts";
import type { TitleRecord } from "../records.ts";
import { byRank, type TitleSource } from "./sources.ts";

/** Merges the records of all sources into the fields of a title. */

type FieldJson<Value> = Value extends Date ? string : Value extends ExternalId[] ? string[] : Value;
type TitleData = Omit<TitleRecord, "kind" | "malId" | "tagNumbers" | "textsFrom" | "none">;
/**
 * One source's data as JSON. An absent field is unknown. Null or an empty list means that the source declares it empty.
 */
export type TitleFields = { [Name in keyof TitleData]?: FieldJson<TitleData[Name]> };
export type FieldName = keyof TitleFields;
export type SourcedFields = { source: TitleSource; fields: TitleFields };

export const isUnknown = (value: unknown) =>
  value === null || value === undefined || (Array.isArray(value) && value.length === 0);

/** The known fields of a record or a row. */
export function knownFields(record: Partial<TitleData>, names: readonly FieldName[]): TitleFields {
  const fields: Record<string, unknown> = {};
  for (const name of names) {
    const value = record[name];
    if (isUnknown(value)) continue;
    if (value instanceof Date) fields[name] = value.toISOString();
    else fields[name] = name === "externalIds" ? (value as ExternalId[]).map(formatExternalId) : value;
  }
  return fields as TitleFields;
}

/** Applies a later record of the same source. Fields missing from the later record keep their earlier values. */
export const updateFields = (before: TitleFields, later: TitleFields): TitleFields => ({
  ...before,
  ...later,
  ...withIds(joinIds(later.externalIds, before.externalIds)),
});

/**
 * Fields that depend on how many people a site has. Most sources count the members of MyAnimeList, which has several
 * times as many as AniList. Titles with AniList's counts would therefore rank below all others, so its counts are used
 * only if no source has MyAnimeList's.
 */
const countNames = ["score", "members", "favorites"] as const satisfies readonly FieldName[];

/** The records that have a field. The field's value comes from the first one. */
function havingField<Record extends { source: TitleSource; fields: object }>(
  name: string,
  records: readonly Record[],
): Record[] {
  const having = [...records].sort(byRank).filter(({ fields }) => name in fields);
  if (!countNames.some((one) => one === name)) return having;
  const last = ({ source }: Record) => (source === "anilist" || source === "offline-database" ? 1 : 0);
  return having.sort((one, other) => last(one) - last(other));
}

/** For each field, takes the value from the highest-ranked source that has one. */
export function mergeRecords(records: readonly SourcedFields[]): TitleFields {
  const worstFirst = [...records].sort(byRank).reverse();
  const merged: TitleFields = Object.assign({}, ...worstFirst.map(({ fields }) => fields));
  for (const name of countNames) {
    const [best] = havingField(name, records);
    if (best) Object.assign(merged, { [name]: best.fields[name] });
  }
  let ids: readonly string[] | undefined;
  for (const { fields } of worstFirst) ids = joinIds(fields.externalIds, ids);
  return { ...merged, ...withIds(ids) };
}

/** The source that a field's value comes from. */
export const sourceOf = <Fields extends object>(
  name: keyof Fields & string,
  records: readonly { source: TitleSource; fields: Fields }[],
): TitleSource | undefined => havingField(name, records)[0]?.source;

export const idsOf = ({ externalIds = [] }: TitleFields): ExternalId[] =>
  externalIds.map(parseExternalId).filter((id) => typeof id !== "string");

const withIds = (externalIds: readonly string[] | undefined) =>
  externalIds === undefined ? {} : { externalIds: [...externalIds] };

const siteOf = (id: string) => id.slice(0, id.indexOf(":"));

/** Ids are merged per site: the ids of `better` replace those of `others` on the same site. */
function joinIds(better: readonly string[] | undefined, others: readonly string[] | undefined) {
  if (!better || !others) return better ?? others;
  const sites = new Set(better.map(siteOf));
  return [...others.filter((id) => !sites.has(siteOf(id))), ...better];
}

export const textNames = ["synopsis", "background"] as const satisfies readonly FieldName[];
export const pictureNames = [
  "imageUrl",
  "imageWebp",
  "imageSmallWebp",
  "imageLargeWebp",
  "bannerImage",
] as const satisfies readonly FieldName[];
/** The fields that a source may forbid to share. */
export const protectedNames = [...textNames, ...pictureNames] as const;
export type ProtectedName = (typeof protectedNames)[number];

import { and, eq } from "drizzle-orm";
import { maxEpisodeNumber, maxMalId, type RelationKind } from "#app/domain/catalog/catalog.ts";
import {
  createEpisodes,
  type EpisodeFields,
  keepEpisodesBefore,
  keepRelationsBefore,
  mergeEpisodes,
  mergeRelations,
  writeTitles,
  writtenColumns,
} from "#app/domain/catalog-import/catalog-import.server.ts";
import type { FieldName, TitleFields } from "#app/domain/catalog-import/catalog-import.ts";
import { findCorrection, replaceCorrection } from "#app/domain/franchises/franchises.server.ts";
import { type FranchiseCorrection, franchiseCorrectionKinds } from "#app/domain/franchises/franchises.ts";
import type { Transaction } from "#db/client.server.ts";
import { titleRecords, titleRelations, titles } from "#db/schema/catalog.ts";
import { episodeRecords, relationRecords } from "#db/schema/edits.ts";
import { relationKinds } from "#db/schema/enumerations.ts";
import { episodes } from "#db/schema/episodes.ts";
import { type TextFieldName, textFields } from "./text-fields.ts";

/**
 * The fields of a title that an operator can edit, each with its name in `title_edits`: a text field, the picture,
 * `episode 12 title`, `relation 5 sequel`, `franchise moved`. The operator's value outranks all other sources. If the
 * operator has no value, the other sources apply.
 */

export const editedEpisodeColumns = ["title", "airedAt"] as const;
type EpisodeColumn = (typeof editedEpisodeColumns)[number];
type EpisodeValue = Pick<EpisodeFields, EpisodeColumn>;
type RelationValue = { isPresent: boolean };
type FranchiseValue = { relatedId: number | null };
export type OperatorValue = TitleFields | EpisodeValue | RelationValue | FranchiseValue;
export type EditedField =
  | TextFieldName
  | "picture"
  | `episode ${number} ${EpisodeColumn}`
  | `relation ${number} ${RelationKind}`
  | `franchise ${FranchiseCorrection["correction"]}`;

/** `word` is the operator's value of a field, `value` the title's current one. `title_edits` stores both names. */
export type FieldState = { word: OperatorValue | null; value: OperatorValue };

type FieldOfTitle = {
  read(transaction: Transaction, malId: number): Promise<FieldState>;
  write(transaction: Transaction, malId: number, word: OperatorValue | null): Promise<void>;
};

export const episodeField = (number: number, column: EpisodeColumn) => `episode ${number} ${column}` as const;
export const franchiseField = (correction: FranchiseCorrection["correction"]) =>
  `franchise ${correction}` as const;
export const relationField = (relatedId: number, relation: RelationKind) =>
  `relation ${relatedId} ${relation}` as const;

const pictureColumns = ["imageUrl", "imageWebp", "imageSmallWebp", "imageLargeWebp"] as const;

/** The fields for a picture in all sizes. A null path means that the title has no picture. */
export const pictureWord = (path: string | null): TitleFields =>
  Object.fromEntries(pictureColumns.map((name) => [name, path]));

export const columnsOf = (field: TextFieldName | "picture"): readonly FieldName[] =>
  field === "picture" ? pictureColumns : textFields[field].columns;

export function parseField(text: string): FieldOfTitle | null {
  if (text === "picture" || Object.hasOwn(textFields, text))
    return columnsField(columnsOf(text as TextFieldName | "picture"));
  const [kind, id = "", what] = text.split(" ");
  const correction = franchiseCorrectionKinds.find((one) => text === franchiseField(one));
  if (correction) return fieldOfFranchise(correction);
  const number = /^[1-9]\d{0,9}$/.test(id) ? Number(id) : 0;
  const column = editedEpisodeColumns.find((one) => one === what);
  if (kind === "episode" && column && number > 0 && number <= maxEpisodeNumber)
    return fieldOfEpisode(number, column);
  const relation = relationKinds.find((one) => one === what);
  if (kind === "relation" && relation && number > 0 && number <= maxMalId)
    return fieldOfRelation(number, relation);
  return null;
}

const toJson = (value: unknown) => (value instanceof Date ? value.toISOString() : value);

function columnsField(columns: readonly FieldName[]): FieldOfTitle {
  const operatorsFields = async (transaction: Transaction, malId: number): Promise<TitleFields> => {
    const [record] = await transaction
      .select({ fields: titleRecords.fields })
      .from(titleRecords)
      .where(and(eq(titleRecords.malId, malId), eq(titleRecords.source, "operator")));
    return (record?.fields as TitleFields | undefined) ?? {};
  };
  return {
    async read(transaction, malId) {
      const said = await operatorsFields(transaction, malId);
      const [row] = await transaction.select(writtenColumns).from(titles).where(eq(titles.malId, malId));
      const stored = (row ?? {}) as Record<string, unknown>;
      return {
        word: columns.some((name) => name in said) ? pick(said, columns) : null,
        value: Object.fromEntries(columns.map((name) => [name, toJson(stored[name]) ?? null])),
      };
    },
    async write(transaction, malId, word) {
      const said: TitleFields = { ...(await operatorsFields(transaction, malId)) };
      for (const name of columns) delete said[name];
      const fields = { ...said, ...(word as TitleFields | null) };
      await writeTitles(transaction, [{ malId, source: "operator", fields, isWhole: true }]);
    },
  };
}

const pick = (fields: TitleFields, columns: readonly FieldName[]): TitleFields =>
  Object.fromEntries(columns.flatMap((name) => (name in fields ? [[name, fields[name]]] : [])));

function fieldOfEpisode(number: number, column: EpisodeColumn): FieldOfTitle {
  const operatorsWord = async (transaction: Transaction, malId: number): Promise<EpisodeValue> => {
    const [record] = await transaction
      .select({ fields: episodeRecords.fields })
      .from(episodeRecords)
      .where(isOperators(malId));
    return (record?.fields as EpisodeValue | undefined) ?? {};
  };
  const isOperators = (malId: number) =>
    and(
      eq(episodeRecords.malId, malId),
      eq(episodeRecords.number, number),
      eq(episodeRecords.source, "operator"),
    );
  return {
    async read(transaction, malId) {
      const said = await operatorsWord(transaction, malId);
      const [row] = await transaction
        .select({ value: episodes[column] })
        .from(episodes)
        .where(and(eq(episodes.malId, malId), eq(episodes.number, number)));
      return {
        word: column in said ? { [column]: said[column] } : null,
        value: { [column]: toJson(row?.value) ?? null },
      };
    },
    async write(transaction, malId, word) {
      const { [column]: _, ...rest } = await operatorsWord(transaction, malId);
      const fields = { ...rest, ...word };
      const keys = [{ malId, number }];
      if (word) await createEpisodes(transaction, keys);
      await keepEpisodesBefore(transaction, keys);
      await transaction.delete(episodeRecords).where(isOperators(malId));
      if (Object.keys(fields).length > 0)
        await transaction.insert(episodeRecords).values({ malId, number, source: "operator", fields });
      await mergeEpisodes(transaction, keys);
    },
  };
}

function fieldOfRelation(relatedId: number, relation: RelationKind): FieldOfTitle {
  const isThis = (table: typeof relationRecords | typeof titleRelations, malId: number) =>
    and(eq(table.malId, malId), eq(table.relatedId, relatedId), eq(table.relation, relation));
  return {
    async read(transaction, malId) {
      const [record] = await transaction
        .select({ isPresent: relationRecords.isPresent })
        .from(relationRecords)
        .where(and(isThis(relationRecords, malId), eq(relationRecords.source, "operator")));
      const present = await transaction.$count(titleRelations, isThis(titleRelations, malId));
      return { word: record ?? null, value: { isPresent: present > 0 } };
    },
    async write(transaction, malId, word) {
      const keys = [{ malId, relatedId, relation }];
      await keepRelationsBefore(transaction, keys);
      await transaction
        .delete(relationRecords)
        .where(and(isThis(relationRecords, malId), eq(relationRecords.source, "operator")));
      if (word)
        await transaction
          .insert(relationRecords)
          .values({ malId, relatedId, relation, source: "operator", ...(word as RelationValue) });
      await transaction.delete(titleRelations).where(isThis(titleRelations, malId));
      await mergeRelations(transaction, keys);
    },
  };
}

/** Without the operator's value, the relations alone decide. */
function fieldOfFranchise(correction: FranchiseCorrection["correction"]): FieldOfTitle {
  return {
    async read(transaction, malId) {
      const word = await findCorrection(transaction, malId, correction);
      return { word, value: word ?? { relatedId: null } };
    },
    write: (transaction, malId, word) =>
      replaceCorrection(transaction, { malId, correction }, word as FranchiseValue | null),
  };
}

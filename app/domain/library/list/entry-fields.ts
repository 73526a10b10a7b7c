import { maxEpisodeNumber } from "#app/domain/catalog/catalog.ts";
import { createFieldsMapper, type FieldValues, listFieldNames } from "#app/domain/declared-fields.ts";

/**
 * The fields of a list entry that a member fills in. Columns, JSON, forms, undo, imports, exports and merges are made
 * from them, in this order. To raise a limit, also migrate the check of its column. The list status, the state and the
 * ticks depend on each other, so they are in `entry.ts` and `entry-rules.ts`.
 */
export const entryFields = {
  rewatchCount: { kind: "count", max: 10_000, label: "the number of rewatches" },
  /** The last episode of the present rewatch; 0 unless the state is rewatching. */
  rewatchProgress: { kind: "count", max: maxEpisodeNumber, label: "the episode of the rewatch" },
  /** The member's own score. */
  score: { kind: "score", max: 10, label: "the score" },
  /** In UTF-16 code units, as browsers count `maxlength`. */
  notes: { kind: "text", maxLength: 10_000, label: "the note" },
  tags: { kind: "tags", maxTags: 50, maxLength: 60, label: "the tags", itemLabel: "a tag" },
  startedOn: { kind: "day", label: "the date “Started”" },
  finishedOn: { kind: "day", label: "the date “Finished”" },
} as const;

export type EntryFields = FieldValues<
  typeof entryFields,
  {
    count: number;
    score: number | null;
    text: string;
    tags: readonly string[];
    /** ISO 8601 date */
    day: string | null;
  }
>;

export const entryFieldNames = listFieldNames(entryFields);
export const mapEntryFields = createFieldsMapper(entryFields);

export const emptyFields: EntryFields = mapEntryFields({
  count: () => 0,
  score: () => null,
  text: () => "",
  tags: () => [],
  day: () => null,
});

/** Cleans tags for storage and drops duplicates. Lists of other sites separate tags by commas, so a tag contains none. */
export function cleanTags(tags: readonly string[]): string[] {
  const clean = tags.map((tag) => tag.replace(/[\s,]+/g, " ").trim());
  return [...new Set(clean)].filter((tag) => tag !== "").slice(0, entryFields.tags.maxTags);
}

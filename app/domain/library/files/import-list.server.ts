import { db, type Transaction, withTransaction } from "#db/client.server.ts";
import {
  changedFields,
  type EntryField,
  type FileEntryWithName,
  type ListEntry,
  type MergeOptions,
  mergeEntries,
  mergeRepeated,
} from "../list/entry.ts";
import { createImportUndo } from "../list/import-undo.server.ts";
import {
  createEntries,
  findEntries,
  findTitleNames,
  lockEntries,
  lockImports,
  updateEntries,
} from "../list/list-rows.server.ts";
import type { ListFile, SkippedEntry } from "./list-records.ts";

/** Previews and runs the import of a list file into a member's watch list. */

type TitleName = { malId: number; title: string };
type EntryValues = Pick<ListEntry, "type" | "progress" | "score">;
export type ListImportReport = {
  added: (TitleName & EntryValues)[];
  changed: (TitleName & { fields: EntryField[]; before: EntryValues; after: EntryValues })[];
  unchanged: TitleName[];
  unmatched: SkippedEntry[];
  /** The id for undoing the import; null in a preview and when nothing changed. */
  undo: string | null;
};

type MergeStep = {
  title: string;
  before: (ListEntry & { updatedAt: string | null }) | null;
  after: ListEntry;
};

export async function previewListImport(
  userId: string,
  file: ListFile,
  options: MergeOptions,
): Promise<ListImportReport> {
  const { matched, unmatched, titles } = await matchTitles(db, file);
  const own = await findEntries(userId, idsOf(matched));
  return { ...toReport(planSteps(matched, titles, own, options)), unmatched, undo: null };
}

export const importList = (
  userId: string,
  file: ListFile,
  options: MergeOptions,
): Promise<ListImportReport> =>
  withTransaction((transaction) => importInto(transaction, userId, file, options));

/**
 * Imports a list inside the caller's transaction. It adds missing entries first, because only existing rows can be locked.
 * The lock keeps other tabs and players of this member from changing an entry while it is merged.
 */
export async function importInto(
  transaction: Transaction,
  userId: string,
  file: ListFile,
  options: MergeOptions,
): Promise<ListImportReport> {
  await lockImports(transaction, userId);
  const { matched, unmatched, titles } = await matchTitles(transaction, file);
  const added = await createEntries(transaction, userId, matched);
  const rest = idsOf(matched).filter((id) => !added.has(id));
  const steps = planSteps(matched, titles, await lockEntries(transaction, userId, rest), options);
  const changes = steps.filter(({ before, after }) => before && changedFields(before, after).length > 0);
  await updateEntries(
    transaction,
    userId,
    changes.map(({ after }) => ({ ...after, updatedAt: null })),
  );
  const written = [...changes, ...steps.filter(({ after }) => added.has(after.malId))];
  const undo = written.length === 0 ? null : await createImportUndo(transaction, userId, written);
  return { ...toReport(steps), unmatched, undo };
}

const idsOf = (entries: readonly ListEntry[]) => entries.map(({ malId }) => malId);

async function matchTitles(reader: Pick<typeof db, "select">, file: ListFile) {
  const entries = mergeRepeated(file.entries);
  const titles = await findTitleNames(reader, idsOf(entries));
  const matched = entries.filter(({ malId }) => titles.has(malId));
  const unmatched = entries
    .filter(({ malId }) => !titles.has(malId))
    .map(({ malId, title }) => ({ malId, title, why: "is not in this catalog" }));
  return { matched, unmatched: [...file.skipped, ...unmatched], titles };
}

function planSteps(
  entries: readonly FileEntryWithName[],
  titles: ReadonlyMap<number, string>,
  own: Awaited<ReturnType<typeof findEntries>>,
  options: MergeOptions,
): MergeStep[] {
  return entries.map(({ title, addedAt: _added, updatedAt: _updated, ...entry }) => {
    const before = own.get(entry.malId) ?? null;
    const after = mergeEntries(before, entry, options);
    return { title: titles.get(entry.malId) ?? title ?? "", before, after };
  });
}

function toReport(steps: readonly MergeStep[]): Omit<ListImportReport, "unmatched" | "undo"> {
  const valuesOf = ({ type, progress, score }: ListEntry): EntryValues => ({ type, progress, score });
  const report: Omit<ListImportReport, "unmatched" | "undo"> = { added: [], changed: [], unchanged: [] };
  for (const { title, before, after } of steps) {
    const named = { malId: after.malId, title };
    const fields = before && changedFields(before, after);
    if (!before || !fields) report.added.push({ ...named, ...valuesOf(after) });
    else if (fields.length === 0) report.unchanged.push(named);
    else report.changed.push({ ...named, fields, before: valuesOf(before), after: valuesOf(after) });
  }
  return report;
}

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

/** Brings a list file into a user's list: said first, and done as one. */

type Named = { malId: number; title: string };
type Told = Pick<ListEntry, "type" | "progress" | "score">;
export type ListImportReport = {
  added: (Named & Told)[];
  changed: (Named & { fields: EntryField[]; before: Told; after: Told })[];
  unchanged: Named[];
  unmatched: SkippedEntry[];
  /** Takes the import back; null in a preview, and where nothing changed. */
  undo: string | null;
};

type Step = { title: string; before: (ListEntry & { updatedAt: string | null }) | null; after: ListEntry };

export async function previewListImport(
  userId: string,
  file: ListFile,
  how: MergeOptions,
): Promise<ListImportReport> {
  const { matched, unmatched, titles } = await matchTitles(db, file);
  const own = await findEntries(userId, idsOf(matched));
  return { ...tell(planSteps(matched, titles, own, how)), unmatched, undo: null };
}

export const importList = (userId: string, file: ListFile, how: MergeOptions): Promise<ListImportReport> =>
  withTransaction((transaction) => importInto(transaction, userId, file, how));

/**
 * The same within a larger change. What is missing is added first, so that everything else can then be held still
 * while it is merged, whatever other tabs and players of this user are writing.
 */
export async function importInto(
  transaction: Transaction,
  userId: string,
  file: ListFile,
  how: MergeOptions,
): Promise<ListImportReport> {
  await lockImports(transaction, userId);
  const { matched, unmatched, titles } = await matchTitles(transaction, file);
  const added = await createEntries(transaction, userId, matched);
  const rest = idsOf(matched).filter((id) => !added.has(id));
  const steps = planSteps(matched, titles, await lockEntries(transaction, userId, rest), how);
  const changes = steps.filter(({ before, after }) => before && changedFields(before, after).length > 0);
  await updateEntries(
    transaction,
    userId,
    changes.map(({ after }) => ({ ...after, updatedAt: null })),
  );
  const written = [...changes, ...steps.filter(({ after }) => added.has(after.malId))];
  const undo = written.length === 0 ? null : await createImportUndo(transaction, userId, written);
  return { ...tell(steps), unmatched, undo };
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
  how: MergeOptions,
): Step[] {
  return entries.map(({ title, addedAt: _added, updatedAt: _updated, ...entry }) => {
    const before = own.get(entry.malId) ?? null;
    const after = mergeEntries(before, entry, how);
    return { title: titles.get(entry.malId) ?? title ?? "", before, after };
  });
}

function tell(steps: readonly Step[]): Omit<ListImportReport, "unmatched" | "undo"> {
  const told = ({ type, progress, score }: ListEntry): Told => ({ type, progress, score });
  const report: Omit<ListImportReport, "unmatched" | "undo"> = { added: [], changed: [], unchanged: [] };
  for (const { title, before, after } of steps) {
    const named = { malId: after.malId, title };
    const fields = before && changedFields(before, after);
    if (!before || !fields) report.added.push({ ...named, ...told(after) });
    else if (fields.length === 0) report.unchanged.push(named);
    else report.changed.push({ ...named, fields, before: told(before), after: told(after) });
  }
  return report;
}

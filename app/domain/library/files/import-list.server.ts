import type { Viewer } from "#app/domain/catalog/catalog.server.ts";
import { db, type Transaction, withTransaction } from "#db/client.server.ts";
import { changedFields, type FileEntryWithName, type ListEntry } from "../list/entry.ts";
import { createImportUndo } from "../list/import-undo.server.ts";
import {
  findEntries,
  findListedTitles,
  lockEntries,
  lockMember,
  saveEntries,
} from "../list/list-rows.server.ts";
import { type MergeOptions, mergeEntries, mergeRepeated } from "../list/merge-entries.ts";
import { progressOf, tick, ticksWithin } from "../list/ticks.ts";
import type { ListFile, SkippedEntry } from "./list-records.ts";

/** Previews and runs the import of a list file into a member's watch list. */

type TitleName = { malId: number; title: string };
type EntryValues = Pick<ListEntry, "type" | "state" | "score"> & { progress: number };
export type ListImportReport = {
  added: (TitleName & EntryValues)[];
  changed: (TitleName & { fields: string[]; before: EntryValues; after: EntryValues })[];
  unchanged: TitleName[];
  unmatched: SkippedEntry[];
  /** Entries whose progress in the file is higher than the number of episodes. It becomes that number. */
  clamped: ClampedEntry[];
  /** The number of entries that are imported and that the member may not see. The other fields leave them out. */
  hidden: number;
  /** The id for undoing the import; null in a preview and when nothing changed. */
  undo: string | null;
};

type ClampedEntry = TitleName & { progress: number; episodes: number };
type ImportOptions = MergeOptions & { viewer: Viewer };

type MergeStep = {
  title: string;
  isHidden: boolean;
  before: (ListEntry & { updatedAt: string }) | null;
  after: ListEntry;
};

export async function previewListImport(
  userId: string,
  file: ListFile,
  options: ImportOptions,
): Promise<ListImportReport> {
  const { matched, titles, ...told } = await matchTitles(db, file, options);
  const own = await findEntries(userId, idsOf(matched));
  return { ...toReport(planSteps(matched, titles, own, options)), ...told, undo: null };
}

export const importList = (
  userId: string,
  file: ListFile,
  options: ImportOptions,
): Promise<ListImportReport> =>
  withTransaction((transaction) => importInto(transaction, userId, file, options));

/** Imports a list inside the caller's transaction. */
export async function importInto(
  transaction: Transaction,
  userId: string,
  file: ListFile,
  options: ImportOptions,
): Promise<ListImportReport> {
  await lockMember(transaction, userId);
  const { matched, titles, ...told } = await matchTitles(transaction, file, options);
  const own = await lockEntries(transaction, userId, idsOf(matched));
  const steps = planSteps(matched, titles, own, options);
  const written = steps.filter(({ before, after }) => !before || changedFields(before, after).length > 0);
  const timesOf = new Map(matched.map(({ malId, addedAt, updatedAt }) => [malId, { addedAt, updatedAt }]));
  await saveEntries(
    transaction,
    userId,
    written.map(({ before, after }) => ({
      ...after,
      ...(before ? { updatedAt: null } : timesOf.get(after.malId)),
    })),
  );
  const undo = written.length === 0 ? null : await createImportUndo(transaction, userId, written);
  return { ...toReport(steps), ...told, undo };
}

const idsOf = (entries: readonly ListEntry[]) => entries.map(({ malId }) => malId);

type ListedTitles = Awaited<ReturnType<typeof findListedTitles>>;

/** Member files can claim more episodes than a title has. Without clamping, the entry would show "30 of 12". */
async function matchTitles(reader: Pick<typeof db, "select">, file: ListFile, { viewer }: ImportOptions) {
  const entries = mergeRepeated(file.entries);
  const titles = await findListedTitles(reader, idsOf(entries), viewer);
  const [matched, unmatched, clamped]: [FileEntryWithName[], SkippedEntry[], ClampedEntry[]] = [[], [], []];
  for (const entry of entries) {
    const { malId } = entry;
    const progress = progressOf(entry.ticks);
    const title = titles.get(malId);
    if (title === undefined) unmatched.push({ malId, title: entry.title, why: "is not in this catalog" });
    else if (title.episodes && progress > title.episodes) {
      const { title: name, episodes, isVisible } = title;
      matched.push({ ...entry, ticks: tick(ticksWithin(entry.ticks, episodes), episodes) });
      if (isVisible) clamped.push({ malId, title: name, progress, episodes });
    } else matched.push(entry);
  }
  return { matched, unmatched: [...file.skipped, ...unmatched], clamped, titles };
}

function planSteps(
  entries: readonly FileEntryWithName[],
  titles: ListedTitles,
  own: Awaited<ReturnType<typeof findEntries>>,
  options: ImportOptions,
): MergeStep[] {
  return entries.map(({ title: _title, addedAt: _added, updatedAt: _updated, ...entry }) => {
    const before = own.get(entry.malId) ?? null;
    const after = mergeEntries(before, entry, { ...options, isUntouched: before?.isUntouched ?? false });
    const { title = "", isVisible = true } = titles.get(entry.malId) ?? {};
    return { title, isHidden: !isVisible, before, after };
  });
}

type MergeReport = Pick<ListImportReport, "added" | "changed" | "unchanged" | "hidden">;

function toReport(steps: readonly MergeStep[]): MergeReport {
  const valuesOf = ({ type, state, ticks, score }: ListEntry): EntryValues => ({
    type,
    state,
    progress: progressOf(ticks),
    score,
  });
  const report: MergeReport = { added: [], changed: [], unchanged: [], hidden: 0 };
  for (const { title, isHidden, before, after } of steps) {
    const named = { malId: after.malId, title };
    const fields = before && fieldsToReport(before, after);
    if (isHidden) report.hidden++;
    else if (!before || !fields) report.added.push({ ...named, ...valuesOf(after) });
    else if (fields.length === 0) report.unchanged.push(named);
    else report.changed.push({ ...named, fields, before: valuesOf(before), after: valuesOf(after) });
  }
  return report;
}

/** Other programs know the field `progress`. Ticks below it are a field of their own. */
const fieldsToReport = (before: ListEntry, after: ListEntry): string[] =>
  changedFields(before, after).map((field) =>
    field === "ticks" && progressOf(before.ticks) !== progressOf(after.ticks) ? "progress" : field,
  );

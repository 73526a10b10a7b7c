import type { FileHandle } from "node:fs/promises";
import type { TitleNames } from "#app/domain/catalog/catalog.ts";
import { noteListedTitles } from "#app/domain/details/details.server.ts";
import { malIdsOf } from "#app/domain/mal-ids.ts";
import type { Viewer } from "#app/domain/visibility/visibility.server.ts";
import { AppendedRows } from "#app/platform/process/stored-rows.ts";
import { db, type Transaction, withTransaction } from "#db/client.server.ts";
import { changedFields, type FileEntryWithName, type ListEntry } from "../list/entry.ts";
import { partsByStoredBytes } from "../list/entry-pages.server.ts";
import { createImportUndo, deleteOldImportUndos } from "../list/import-undo.server.ts";
import {
  findListedTitles,
  getEntries,
  lockEntries,
  lockExistingTitles,
  lockMember,
  saveEntries,
} from "../list/list-rows.server.ts";
import { type MergeOptions, mergeEntries } from "../list/merge-entries.ts";
import { progressOf, tick, ticksWithin } from "../list/ticks.ts";
import type { SkippedEntry } from "./list-records.ts";
import { isOtherLocalTitle } from "./named-local-titles.server.ts";
import type { UploadedList } from "./store-list.ts";

/**
 * Previews and runs the import of a list file into a member's watch list. The report can name 50,000 titles, so it is
 * appended to the uploaded file instead of being kept in memory.
 */

type TitleName = { malId: number; title: string };
type EntryValues = Pick<ListEntry, "type" | "state" | "score"> & { progress: number };
export type ListImportReport = {
  added: AppendedRows<AddedEntry>;
  changed: AppendedRows<ChangedEntry>;
  unchanged: AppendedRows<TitleName>;
  unmatched: AppendedRows<SkippedEntry>;
  /** Entries with more episodes, seen or seen again, in the file than the title has. They become that number. */
  clamped: AppendedRows<ClampedEntry>;
  /** The number of added or changed entries whose title the member may not see. The other fields leave them out. */
  hidden: number;
  /** The id for undoing the import; null in a preview and when nothing changed. */
  undo: string | null;
};

type AddedEntry = TitleName & EntryValues;
type ChangedEntry = TitleName & { fields: string[]; before: EntryValues; after: EntryValues };
type ClampedEntry = TitleName & { progress: number; episodes: number };
type ImportOptions = MergeOptions & {
  viewer: Viewer;
  /** The file to which the report is appended. */
  scratch: FileHandle;
  /** The name of a title in the report; by default the main one. */
  nameOf?: (names: TitleNames) => string;
};

const mainName = ({ title }: TitleNames) => title;

type MergeStep = {
  title: string;
  isHidden: boolean;
  before: (ListEntry & { updatedAt: string }) | null;
  after: ListEntry;
};

export async function previewListImport(
  userId: string,
  file: UploadedList,
  options: ImportOptions,
): Promise<ListImportReport> {
  const report = await startReport(file, options);
  for await (const entries of partsOf(file, db, userId)) {
    const { matched, titles } = await matchTitles(db, entries, options, report);
    const currentEntries = await getEntries(userId, malIdsOf(matched));
    await addToReport(report, planSteps(matched, titles, currentEntries, options));
  }
  return report;
}

export async function importList(
  userId: string,
  file: UploadedList,
  options: ImportOptions,
): Promise<ListImportReport> {
  const report = await withTransaction((transaction) => importInto(transaction, userId, file, options));
  await noteImportedTitles(report);
  return report;
}

/** Call this after the import is stored. */
export async function noteImportedTitles({ added }: ListImportReport): Promise<void> {
  const malIds: number[] = [];
  for await (const entries of added.pieces()) malIds.push(...malIdsOf(entries));
  noteListedTitles(malIds);
}

/** Parts of the file that are small together with the entries that the member already has of their titles. */
async function* partsOf(file: UploadedList, reader: Pick<typeof db, "select">, userId: string) {
  for await (const entries of file.entries.pieces())
    yield* partsByStoredBytes(reader, userId, entries, ({ malId }) => malId);
}

/**
 * Imports a list inside the caller's transaction, part by part: only one part of the file is in memory. The caller calls
 * `noteImportedTitles` afterwards.
 */
export async function importInto(
  transaction: Transaction,
  userId: string,
  file: UploadedList,
  options: ImportOptions,
): Promise<ListImportReport> {
  await lockMember(transaction, userId);
  const report = await startReport(file, options);
  const undo = createImportUndo(transaction, userId);
  for await (const entries of partsOf(file, transaction, userId)) {
    const currentEntries = await lockEntries(transaction, userId, malIdsOf(entries));
    // A title that is replaced before it is matched is reported as unmatched. Without the lock, the import would fail.
    await lockExistingTitles(
      transaction,
      malIdsOf(entries.filter(({ malId }) => !currentEntries.has(malId))),
    );
    const { matched, titles } = await matchTitles(transaction, entries, options, report);
    const steps = planSteps(matched, titles, currentEntries, options);
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
    if (written.length > 0) await undo.add(written);
    await addToReport(report, steps);
  }
  report.undo = undo.id();
  if (report.undo !== null) await deleteOldImportUndos(transaction, userId);
  return report;
}

async function startReport(
  { skipped }: UploadedList,
  { scratch }: Pick<ImportOptions, "scratch">,
): Promise<ListImportReport> {
  const unmatched = new AppendedRows<SkippedEntry>(scratch);
  for await (const piece of skipped.pieces()) await unmatched.add(piece);
  return {
    added: new AppendedRows(scratch),
    changed: new AppendedRows(scratch),
    unchanged: new AppendedRows(scratch),
    unmatched,
    clamped: new AppendedRows(scratch),
    hidden: 0,
    undo: null,
  };
}

type ListedTitles = Awaited<ReturnType<typeof findListedTitles>>;

/** Member files can claim more episodes than a title has. Without clamping, the entry would show "30 of 12". */
async function matchTitles(
  reader: Pick<typeof db, "select">,
  entries: readonly FileEntryWithName[],
  { viewer, nameOf = mainName }: ImportOptions,
  report: Pick<ListImportReport, "unmatched" | "clamped">,
) {
  const titles = await findListedTitles(reader, malIdsOf(entries), viewer);
  const matched: FileEntryWithName[] = [];
  const unmatched: SkippedEntry[] = [];
  const clamped: ClampedEntry[] = [];
  for (const entry of entries) {
    const { malId } = entry;
    const progress = Math.max(progressOf(entry.ticks), entry.rewatchProgress);
    const title = titles.get(malId);
    if (title === undefined) unmatched.push({ malId, title: entry.title, why: "is not in this catalog" });
    else if (isOtherLocalTitle(malId, entry.title, title.title))
      unmatched.push({ malId, title: entry.title, why: "is not the local title with this number here" });
    else if (title.episodes && progress > title.episodes) {
      const { episodes, isVisible } = title;
      matched.push(clampEntry(entry, episodes));
      if (isVisible) clamped.push({ malId, title: nameOf(title), progress, episodes });
    } else matched.push(entry);
  }
  await report.unmatched.add(unmatched);
  await report.clamped.add(clamped);
  return { matched, titles };
}

const clampEntry = (entry: FileEntryWithName, episodes: number): FileEntryWithName => ({
  ...entry,
  ticks:
    progressOf(entry.ticks) > episodes ? tick(ticksWithin(entry.ticks, episodes), episodes) : entry.ticks,
  rewatchProgress: Math.min(entry.rewatchProgress, episodes),
});

function planSteps(
  entries: readonly FileEntryWithName[],
  titles: ListedTitles,
  own: Awaited<ReturnType<typeof getEntries>>,
  options: ImportOptions,
): MergeStep[] {
  return entries.map(({ title: _title, addedAt: _added, updatedAt: _updated, ...entry }) => {
    const before = own.get(entry.malId) ?? null;
    const after = mergeEntries(before, entry, { ...options, isUntouched: before?.isUntouched ?? false });
    const title = titles.get(entry.malId);
    const { nameOf = mainName } = options;
    return { title: title ? nameOf(title) : "", isHidden: title?.isVisible === false, before, after };
  });
}

async function addToReport(report: ListImportReport, steps: readonly MergeStep[]) {
  const valuesOf = ({ type, state, ticks, score }: ListEntry): EntryValues => ({
    type,
    state,
    progress: progressOf(ticks),
    score,
  });
  const added: AddedEntry[] = [];
  const changed: ChangedEntry[] = [];
  const unchanged: TitleName[] = [];
  for (const { title, isHidden, before, after } of steps) {
    const titleName = { malId: after.malId, title };
    const fields = before && fieldsToReport(before, after);
    if (isHidden) report.hidden += fields?.length === 0 ? 0 : 1;
    else if (!before || !fields) added.push({ ...titleName, ...valuesOf(after) });
    else if (fields.length === 0) unchanged.push(titleName);
    else changed.push({ ...titleName, fields, before: valuesOf(before), after: valuesOf(after) });
  }
  await report.added.add(added);
  await report.changed.add(changed);
  await report.unchanged.add(unchanged);
}

/** Other programs know only `progress`, so a change of the ticks that raises or lowers it is reported as `progress`. */
const fieldsToReport = (before: ListEntry, after: ListEntry): string[] =>
  changedFields(before, after).map((field) =>
    field === "ticks" && progressOf(before.ticks) !== progressOf(after.ticks) ? "progress" : field,
  );

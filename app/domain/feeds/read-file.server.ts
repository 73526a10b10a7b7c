import { stat } from "node:fs/promises";
import {
  type CatalogImportReport,
  CatalogReadError,
  importRecords,
  isOfSomeUse,
  openCatalogFile,
  type RawRecord,
} from "#app/domain/catalog-import/catalog-import.server.ts";
import type { Feed } from "./chosen-feeds.server.ts";
import { FeedFailure } from "./feed-failure.ts";
import type { RunEnd } from "./feed-runs.server.ts";
import { toFeedReport } from "./feeds.ts";
import { dropFeedFile, type FetchSettings, fetchFeedFile, type Validators } from "./fetch-feed.server.ts";
import { hasIdOutsideMyAnimeList } from "./ids-outside-myanimelist.ts";

/** Reads a feed that is a single file of the offline database, local or on a server. */

type Settings = Omit<FetchSettings, "onProgress"> & {
  onProgress: (progress: { bytes?: number; records?: number }) => void;
};

export async function readFile(feed: Feed, { onProgress, ...settings }: Settings): Promise<RunEnd> {
  const isFile = feed.address.startsWith("/");
  const file = isFile
    ? await fileValidators(feed.address, settings.known)
    : await fetchFeedFile(feed.address, { ...settings, onProgress: (bytes) => onProgress({ bytes }) });
  if (file === null) return { outcome: "unchanged" };
  const report = await importFile(file.path, settings.signal, (records) => onProgress({ records }));
  // Only after the import: if the process ends during it, the next run still finds the file.
  if (!isFile) await dropFeedFile(feed.address);
  const counts = toFeedReport(report);
  const failed = failureOf(report);
  if (failed !== null) return { outcome: "failed", message: failed, waitMs: 0, report: counts };
  const validators = { etag: file.etag, lastModified: file.lastModified };
  return { outcome: "imported", validators, report: counts };
}

/**
 * Validators of a local file: its size and modification time serve as the ETag. Null if this version of the file is
 * already imported.
 */
async function fileValidators(
  path: string,
  known: Validators,
): Promise<(Validators & { path: string }) | null> {
  const stats = await stat(path).catch((error: NodeJS.ErrnoException) => {
    throw new FeedFailure(`The file cannot be read (${error.code})`);
  });
  const etag = `${stats.size} ${stats.mtimeMs}`;
  return etag === known.etag ? null : { path, etag, lastModified: null };
}

async function importFile(
  path: string,
  signal: AbortSignal,
  onProgress: (records: number) => void,
): Promise<CatalogImportReport> {
  try {
    const { records } = await openCatalogFile(path, "The file");
    return await importRecords(entriesOfOfflineDatabase(records, signal), { onProgress });
  } catch (error) {
    throw error instanceof CatalogReadError ? new FeedFailure(error.message) : error;
  }
}

/**
 * Accepts only entries of the offline database. A file in Engawa's format could otherwise add playable sources, and
 * write fields in the operator's name.
 */
async function* entriesOfOfflineDatabase(
  records: AsyncIterable<RawRecord>,
  signal: AbortSignal,
): AsyncGenerator<RawRecord> {
  const titles = new Set<number>();
  for await (const one of records) {
    if (signal.aborted) return;
    if ("rejected" in one) yield one;
    else if (one.source !== "offline-database")
      yield { where: one.where, rejected: "is not an entry of the anime-offline-database" };
    else if (hasIdOutsideMyAnimeList(one.record))
      yield { where: one.where, rejected: "has no number of MyAnimeList" };
    else if (one.record.kind === "title" && titles.has(one.record.malId))
      yield { where: one.where, rejected: `is a second entry of title ${one.record.malId}` };
    else {
      if (one.record.kind === "title") titles.add(one.record.malId);
      yield one;
    }
  }
}

function failureOf(report: CatalogImportReport): string | null {
  if (report.brokenOff !== null) return `${report.brokenOff}. What came before that point is imported.`;
  const { added, changed, unchanged } = report.titles;
  if (!isOfSomeUse(report) || added + changed + unchanged === 0)
    return "The file has no entry that can be used";
  return null;
}

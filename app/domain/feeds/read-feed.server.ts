import { errorFields, log } from "#app/platform/log.server.ts";
import { seconds } from "#app/platform/units.ts";
import { runOnOneInstance } from "#db/one-instance.server.ts";
import {
  type CatalogImportReport,
  importRecords,
  isOfSomeUse,
  openCatalogFile,
  type RawRecord,
  UnreadableCatalog,
} from "../catalog/catalog.server.ts";
import { FeedFailure } from "./feed-failure.ts";
import {
  beginRun,
  configuredFeeds,
  endRun,
  type Feed,
  listDueFeeds,
  type RunEnd,
  recordProgress,
} from "./feed-runs.server.ts";
import type { FeedReport } from "./feeds.ts";
import { dropFeedFile, dropOtherFiles, fetchFeedFile, type Validators } from "./fetch-feed.server.ts";
import { fileValidators } from "./local-file.server.ts";

/** Reads the feeds that are due, one after the other, each on one instance at a time. */

type Progress = { bytes?: number; records?: number };
type Settings = { maxBytes?: number };
type Read = Settings & { known: Validators; onProgress: (progress: Progress) => void };

const maxReportedRejections = 50;

export async function readDueFeeds(settings: Settings = {}): Promise<void> {
  await dropOtherFiles(configuredFeeds.map(({ address }) => address));
  for (const feed of await listDueFeeds())
    await runOnOneInstance(`feed ${feed.name}`, () => run(feed, settings));
}

async function run(feed: Feed, settings: Settings): Promise<void> {
  // Another instance may have read it between the question and the lock.
  if (!(await listDueFeeds()).some(({ name }) => name === feed.name)) return;
  const { id, known } = await beginRun(feed);
  const end = await readFeed(feed, { ...settings, known, onProgress: reporter(id) }).catch(endOf);
  await endRun(feed, id, end);
  log.info("read a feed of the catalog", { feed: feed.kind, outcome: end.outcome });
}

function endOf(error: unknown): RunEnd {
  if (!(error instanceof FeedFailure)) throw error;
  return { outcome: "failed", message: error.message, waitMs: error.waitMs };
}

const progressEveryMs = seconds(2);

/** Stores the progress now and then. A failure to do so must not end the run. */
function reporter(id: string) {
  let last = 0;
  return (progress: Progress) => {
    if (performance.now() - last < progressEveryMs) return;
    last = performance.now();
    recordProgress(id, progress).catch((error: unknown) =>
      log.warn("cannot store how far a feed was read", errorFields(error)),
    );
  };
}

async function readFeed(feed: Feed, { onProgress, ...settings }: Read): Promise<RunEnd> {
  const isFile = feed.address.startsWith("/");
  const file = isFile
    ? await fileValidators(feed.address, settings.known)
    : await fetchFeedFile(feed.address, {
        ...settings,
        onProgress: (bytes) => onProgress({ bytes }),
      });
  if (file === null) return { outcome: "unchanged" };
  const report = await importFile(file.path, onProgress);
  // A stop of the process comes before this, and the next run finds the file.
  if (!isFile) await dropFeedFile(feed.address);
  const counts = toFeedReport(report);
  const failed = failureOf(report);
  if (failed !== null) return { outcome: "failed", message: failed, waitMs: 0, report: counts };
  return {
    outcome: "imported",
    validators: { etag: file.etag, lastModified: file.lastModified },
    report: counts,
  };
}

async function importFile(path: string, onProgress: Read["onProgress"]): Promise<CatalogImportReport> {
  try {
    const { records } = await openCatalogFile(path, "The file");
    return await importRecords(entriesOfOfflineDatabase(records), {
      onProgress: (read) => onProgress({ records: read }),
    });
  } catch (error) {
    throw error instanceof UnreadableCatalog ? new FeedFailure(error.message) : error;
  }
}

/**
 * Lets through only what this kind of feed has to say. A file of our own format could otherwise bring sources to play, and
 * the operator's word.
 */
async function* entriesOfOfflineDatabase(records: AsyncIterable<RawRecord>): AsyncGenerator<RawRecord> {
  const titles = new Set<number>();
  for await (const one of records) {
    if ("rejected" in one) yield one;
    else if (one.source !== "offline-database")
      yield { where: one.where, rejected: "is not an entry of the anime-offline-database" };
    else if (one.record.kind === "title" && titles.has(one.record.malId))
      yield { where: one.where, rejected: `is a second entry of title ${one.record.malId}` };
    else {
      if (one.record.kind === "title") titles.add(one.record.malId);
      yield one;
    }
  }
}

const toFeedReport = ({
  titles,
  details,
  leftOut,
  notInCatalog,
  rejectedCount,
  rejected,
}: CatalogImportReport) =>
  ({
    ...{ titles, details, leftOut, notInCatalog, rejectedCount },
    rejected: rejected.slice(0, maxReportedRejections),
  }) satisfies FeedReport;

function failureOf(report: CatalogImportReport): string | null {
  if (report.brokenOff !== null) return `${report.brokenOff}. What came before that point is imported.`;
  if (!isOfSomeUse(report) || report.titles.added + report.titles.changed + report.titles.unchanged === 0)
    return "The file has no entry that can be used";
  return null;
}

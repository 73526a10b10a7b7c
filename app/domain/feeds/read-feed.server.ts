import {
  type Checkpoint,
  importRecords,
  isAnythingRead,
  isOfSomeUse,
  type RawRecord,
} from "#app/domain/catalog-import/catalog-import.server.ts";
import { replaceLocalTitlesByIds } from "#app/domain/local-titles/local-titles.server.ts";
import { errorFields, log } from "#app/platform/log.server.ts";
import { seconds } from "#app/platform/units.ts";
import { runOnOneInstance } from "#db/one-instance.server.ts";
import { type Feed, isChosenFeed, listChosenFeeds } from "./chosen-feeds.server.ts";
import { FeedFailure } from "./feed-failure.ts";
import { beginRun, endRun, listDueFeeds, type RunEnd, recordProgress } from "./feed-runs.server.ts";
import { toFeedReport } from "./feeds.ts";
import { dropFeedFile, dropOtherFiles, type Validators } from "./fetch-feed.server.ts";
import { followEngawa } from "./follow-engawa.server.ts";
import { readFile } from "./read-file.server.ts";
import { readJikan } from "./read-jikan.server.ts";
import { scanForNewTitles } from "./scan-for-new-titles.server.ts";

/** Reads the due feeds one after the other. Each feed is read on one instance at a time. */

type Progress = { bytes?: number; records?: number };
/** For tests: the limits of a file, a response and a run, and the pause between pages. */
type Settings = { maxBytes?: number; maxMs?: number; maxRunMs?: number; pauseMs?: number };
type FeedReading = Settings & {
  known: Validators;
  position: string | null;
  signal: AbortSignal;
  onProgress: (progress: Progress) => void;
};

export async function readDueFeeds(settings: Settings = {}): Promise<void> {
  await dropOtherFiles((await listChosenFeeds()).map(({ address }) => address));
  for (const feed of await listDueFeeds())
    await runOnOneInstance(`feed ${feed.name}`, () => run(feed, settings));
}

async function run(feed: Feed, settings: Settings): Promise<void> {
  // Another instance may have read the feed before this one got the lock.
  if (!(await listDueFeeds()).some(({ name }) => name === feed.name)) return;
  const { id, ...begin } = await beginRun(feed);
  const givenUp = watchChoice(feed);
  const { signal } = givenUp;
  const onProgress = reporter(id);
  const read = await readFeed(feed, { ...settings, ...begin, signal, onProgress })
    .catch(endOf)
    .finally(givenUp.stop);
  const isStopped = signal.aborted;
  const end = isStopped ? stoppedEnd(read) : read;
  if (isStopped) await dropFeedFile(feed.address);
  await endRun(feed, id, end);
  await replaceLocalTitlesByIds();
  if ("report" in end) await scanForNewTitles(end.report, "schedule");
  if (end.outcome === "failed" && !isStopped)
    log.warn("a feed of the catalog failed", { feed: feed.kind, why: end.message });
  else log.info("read a feed of the catalog", { feed: feed.kind, outcome: end.outcome });
}

const stoppedEnd = (end: RunEnd): RunEnd => ({
  outcome: "failed",
  waitMs: 0,
  message: "An operator stopped it. What came before is imported.",
  ...("report" in end && { report: end.report }),
});

const askIfChosenEveryMs = seconds(2);

/** The signal aborts when an operator gives up the feed on any instance. */
function watchChoice(feed: Feed) {
  const abandonment = new AbortController();
  const ask = async () => {
    try {
      if (!(await isChosenFeed(feed.name))) abandonment.abort();
    } catch (error) {
      log.warn("cannot ask whether a feed is still wanted; asking again", errorFields(error));
    }
  };
  const timer = feed.isByButton ? setInterval(ask, askIfChosenEveryMs) : undefined;
  return { signal: abandonment.signal, stop: () => clearInterval(timer) };
}

function endOf(error: unknown): RunEnd {
  if (!(error instanceof FeedFailure)) throw error;
  return { outcome: "failed", message: error.message, waitMs: error.waitMs };
}

const progressEveryMs = seconds(2);

/** Stores the progress every few seconds. A failure to store it must not end the run. */
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

function readFeed(
  feed: Feed,
  { known, position, signal, onProgress, ...settings }: FeedReading,
): Promise<RunEnd> {
  if (feed.kind === "offline-database") return readFile(feed, { ...settings, known, signal, onProgress });
  let bytes = 0;
  const onBytes = (count: number) => {
    bytes += count;
    onProgress({ bytes });
  };
  const read = feed.kind === "jikan" ? readJikan : followEngawa;
  return readPages(read(feed, { ...settings, position, onBytes }), onProgress);
}

const noValidators: Validators = { etag: null, lastModified: null };

/** Imports a feed that arrives in pages. If a page fails, the earlier ones stay imported. */
async function readPages(
  pages: AsyncIterable<RawRecord | Checkpoint>,
  onProgress: (progress: { records: number }) => void,
): Promise<RunEnd> {
  let failure: FeedFailure | null = null;
  const untilFailure = (async function* () {
    try {
      yield* pages;
    } catch (error) {
      if (!(error instanceof FeedFailure)) throw error;
      failure = error;
    }
  })();
  const imported = await importRecords(untilFailure, { onProgress: (records) => onProgress({ records }) });
  const report = toFeedReport(imported);
  const isSomethingRead = isAnythingRead(report);
  const { message = null, waitMs = 0 } = (failure as FeedFailure | null) ?? {};
  if (message !== null)
    return {
      outcome: "failed",
      message: isSomethingRead ? `${message}. What came before is imported.` : message,
      waitMs,
      report,
    };
  if (!isOfSomeUse(imported))
    return { outcome: "failed", message: "The server has no title that can be used", waitMs: 0, report };
  return isSomethingRead || report.leftOut > 0
    ? { outcome: "imported", validators: noValidators, report }
    : { outcome: "unchanged" };
}

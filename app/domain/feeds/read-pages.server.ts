import {
  type Checkpoint,
  importRecords,
  isOfSomeUse,
  type RawRecord,
} from "#app/domain/catalog-import/catalog-import.server.ts";
import { FeedFailure } from "./feed-failure.ts";
import type { RunEnd } from "./feed-runs.server.ts";
import { toFeedReport } from "./feeds.ts";
import type { Validators } from "./fetch-feed.server.ts";

/** Imports a feed that arrives in pages. If a page fails, the earlier ones stay imported. */

const noValidators: Validators = { etag: null, lastModified: null };

export async function readPages(
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
  const counts = [report.titles, report.details];
  const isSomethingRead = counts.some(({ added, changed, unchanged }) => added + changed + unchanged > 0);
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

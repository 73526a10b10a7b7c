import type { CatalogImportReport } from "#app/domain/catalog-import/catalog-import.server.ts";
import { minutes, sizeText } from "#app/platform/units.ts";
import type { feedOutcomes } from "#db/schema/enumerations.ts";

/** Describes feed runs in words. */

export type FeedReport = Omit<CatalogImportReport, "changes" | "brokenOff">;
const maxReportedRejections = 50;

/** Reduces an import report to the part that is stored. */
export const toFeedReport = (report: FeedReport): FeedReport => {
  const { titles, details, leftOut, notInCatalog, rejectedCount, rejected } = report;
  return {
    titles,
    details,
    leftOut,
    notInCatalog,
    rejectedCount,
    rejected: rejected.slice(0, maxReportedRejections),
  };
};

export type FeedRun = {
  startedAt: Date;
  /** The time of the last progress report. */
  seenAt: Date;
  endedAt: Date | null;
  /** Null while the run is in progress. */
  outcome: (typeof feedOutcomes)[number] | null;
  bytes: number;
  records: number;
  message: string | null;
  report: FeedReport | null;
};

/** A run reports progress every few seconds. After this silence it counts as interrupted. */
const maxSilenceMs = minutes(2);

export const isUnderWay = ({ outcome, seenAt }: FeedRun, now: Date): boolean =>
  outcome === null && now.getTime() - seenAt.getTime() < maxSilenceMs;

export function runText(run: FeedRun, now: Date): string {
  if (isUnderWay(run, now)) return progressText(run);
  switch (run.outcome) {
    case "imported":
      return countsText(run.report);
    case "unchanged":
      return "Nothing new";
    case "failed":
      return run.message ?? "It failed";
    default:
      return "It was cut off. The next run goes on with what was fetched.";
  }
}

const number = new Intl.NumberFormat("en");

function progressText({ bytes, records }: FeedRun): string {
  if (records > 0) return `Importing: ${number.format(records)} records so far`;
  return bytes > 0 ? `Fetching: ${sizeText(bytes)} so far` : "Beginning";
}

function countsText(report: FeedReport | null): string {
  if (report === null) return "";
  const { titles, details, leftOut, notInCatalog, rejectedCount } = report;
  const parts: [count: number, text: string][] = [
    [titles.added, "new"],
    [titles.changed, "changed"],
    [titles.unchanged, "unchanged"],
    [details.added + details.changed, "relations, episodes and videos new or changed"],
    [leftOut, "left out as adult"],
    [notInCatalog, "about titles that this catalog does not have"],
    [rejectedCount, "refused"],
  ];
  const said = parts.filter(([count], at) => at < 3 || count > 0);
  return said.map(([count, text]) => `${number.format(count)} ${text}`).join(", ");
}

import type { ImportCounts, TitleChange } from "./write-titles.server.ts";

/** The result of an import. */

export type CatalogImportReport = {
  titles: ImportCounts;
  /** The first new and changed titles, up to `maxReportedLines`. */
  changes: TitleChange[];
  /** Counts of relations, episodes, sources, subtitles and skip segments. */
  details: ImportCounts;
  /** The number of adult titles that were left out, and of records that belong to them. */
  leftOut: number;
  /** The number of ids and related titles in the input whose title is not in the catalog. */
  notInCatalog: number;
  rejectedCount: number;
  /** The first rejected records, up to `maxReportedLines`. */
  rejected: { where: string; reason: string }[];
  /** The reason why the input could not be read to the end. The records before that point are imported. */
  brokenOff: string | null;
};

type CountsOfRecords = Pick<CatalogImportReport, "titles" | "details">;

/** True if the input had at least one title or detail that the catalog takes. */
export const isAnythingRead = ({ titles, details }: CountsOfRecords): boolean =>
  [titles, details].some(({ added, changed, unchanged }) => added + changed + unchanged > 0);

/** False if every record was rejected, which means that the input has another format. */
export const isOfSomeUse = ({ leftOut, notInCatalog, rejectedCount, ...counts }: CatalogImportReport) =>
  rejectedCount === 0 || leftOut > 0 || notInCatalog > 0 || isAnythingRead(counts);

/** The changes of an import, for the list of events. Leaves out counts of zero. */
export function importedText({ titles, details }: CountsOfRecords): string {
  const parts: [about: string, changes: string][] = [
    ["titles", changesText(titles)],
    ["relations, episodes and videos", changesText(details)],
  ];
  const texts = parts.filter(([, changes]) => changes !== "").map((part) => part.join(": "));
  return texts.join("; ") || "nothing new";
}

const changesText = ({ added, changed }: ImportCounts) =>
  [...(added > 0 ? [`${added} new`] : []), ...(changed > 0 ? [`${changed} changed`] : [])].join(", ");

export const zeroCounts = (): ImportCounts => ({ added: 0, changed: 0, unchanged: 0 });

export function addCounts(to: ImportCounts, counts: ImportCounts) {
  to.added += counts.added;
  to.changed += counts.changed;
  to.unchanged += counts.unchanged;
}

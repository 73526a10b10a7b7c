import { importRecords } from "#app/domain/catalog-import/import.server.ts";
import { readRecords } from "#app/domain/catalog-import/read-source.server.ts";
import type { Fields } from "#tests/support/data/generated-titles.ts";

/** Imports titles as the command-line tool imports an operator's file. */

export async function importTitles(records: readonly Fields[], options = { includeAdult: true }) {
  const report = await importRecords(readRecords(chunksOf(records)), options);
  if (report.rejectedCount > 0) throw new Error(`rejected: ${JSON.stringify(report.rejected)}`);
  return report;
}

async function* chunksOf(records: readonly Fields[]) {
  for (const record of records) yield `${JSON.stringify(record)}\n`;
}

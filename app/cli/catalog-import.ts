import { migrateWithBackup } from "#app/domain/backup/backup.server.ts";
import {
  type CatalogImportReport,
  CatalogReadError,
  importedText,
  importRecords,
  isOfSomeUse,
  openCatalogFile,
} from "#app/domain/catalog-import/catalog-import.server.ts";
import { commandLine, recordEvent } from "#app/domain/events/events.server.ts";
import { replaceLocalTitlesByIds } from "#app/domain/local-titles/local-titles.server.ts";
import { commandText } from "#app/platform/command-text.server.ts";
import { CannotStart } from "#app/platform/process/cannot-start.server.ts";
import {
  defineTool,
  type FlagsOf,
  printable,
  type Streams,
  UsageError,
} from "#app/platform/process/run-tool.server.ts";
import { usesDatabase } from "#db/client.server.ts";

/** `npm run catalog:import -- FILE|URL…`: imports titles. The server can be running or stopped. */

const usage = `Usage: ${commandText("catalog:import", "[options] FILE|URL…")}

Imports titles from Jikan v4 JSON, the anime-offline-database (JSON or JSON lines) or Engawa's own NDJSON, and ids on
other sites from Anime-Lists (XML, or the JSON lists made of it), also if compressed with gzip or zstd. Titles that the
catalog has are updated with the values of the input. Missing values erase nothing.

  --dry-run         print what would be added, changed and rejected, and change nothing
  --for-site        the site starts it so, for a file that an operator sent: no event is recorded
  --include-adult   also import adult titles (rating Rx, genres Hentai and Erotica)
  --json            print the report as JSON
  --help            print this text

Exit codes: 0 success, 1 an input could not be read to its end or all its records were rejected, 2 wrong arguments.
`;

const options = {
  "dry-run": { type: "boolean" },
  "for-site": { type: "boolean" },
  "include-adult": { type: "boolean" },
  json: { type: "boolean" },
} as const;

const isTerminal = process.stderr.isTTY;
const maxShownLines = 20;

async function run(
  inputs: string[],
  flags: FlagsOf<typeof options>,
  { stdout, stderr }: Streams,
): Promise<number> {
  if (inputs.length === 0) throw new UsageError();
  const isForSite = flags["for-site"] ?? false;
  if (!isForSite) await migrateWithBackup();
  const reports: (CatalogImportReport & { source: string })[] = [];
  for (const input of inputs) {
    const source = await openCatalogFile(input, isForSite ? "The file" : input);
    const report = await importRecords(source.records, {
      includeAdult: flags["include-adult"] ?? false,
      dryRun: flags["dry-run"] ?? false,
      onProgress: (read) => showProgress(input, read, source.bytes && source.bytesRead() / source.bytes),
    });
    if (isTerminal) process.stderr.write("\r\u001b[K");
    reports.push({ source: input, ...report });
    if (!flags["dry-run"] && !isForSite)
      await recordEvent({
        kind: "catalog_imported",
        actor: commandLine,
        detail: importedText(report),
      });
    if (!flags.json) stdout.write(printable(reportText(input, report, flags["dry-run"] ?? false)));
  }
  if (!flags["dry-run"]) await replaceLocalTitlesByIds();
  if (flags.json) stdout.write(`${JSON.stringify(reports.map(onWire))}\n`);
  const broken = reports.flatMap(({ brokenOff }) => brokenOff ?? []);
  for (const reason of broken) stderr.write(`${reason}. The report covers the records before that point.\n`);
  return broken.length > 0 || !reports.every(isOfSomeUse) ? 1 : 0;
}

const barWidth = 30;

function showProgress(input: string, read: number, share: number | null) {
  if (!isTerminal) return;
  const full = Math.round((share ?? 0) * barWidth);
  const bar = share === null ? "" : `[${"#".repeat(full)}${".".repeat(barWidth - full)}] `;
  process.stderr.write(`\r\u001b[K${bar}${read} records  ${input.slice(-40)}`);
}

function reportText(input: string, report: CatalogImportReport, dryRun: boolean): string {
  const { titles, changes, details, leftOut, notInCatalog, rejectedCount, rejected } = report;
  const changeCount = titles.added + titles.changed;
  const would = dryRun ? "would be " : "";
  const lines = [
    `${input}${dryRun ? " (nothing was changed)" : ""}`,
    `  titles:  ${titles.added} ${would}new, ${titles.changed} ${would}changed, ${titles.unchanged} unchanged`,
    ...(dryRun ? changes.slice(0, maxShownLines).map(changeLine) : []),
    ...(dryRun && changeCount > maxShownLines ? ["    … use --json to see all of them"] : []),
    `  details: ${details.added} ${would}new, ${details.changed} ${would}changed, ${details.unchanged} unchanged`,
    ...(leftOut > 0 ? [`  left out as adult: ${leftOut} (--include-adult imports them)`] : []),
    ...(notInCatalog > 0 ? [`  about titles that this catalog does not have: ${notInCatalog}`] : []),
    ...(rejectedCount > 0 ? [`  rejected: ${rejectedCount}`] : []),
    ...rejected.slice(0, maxShownLines).map(({ where, reason }) => `    ${where}: ${reason}`),
    ...(rejectedCount > maxShownLines ? ["    … use --json to see all of them"] : []),
  ];
  return `${lines.join("\n")}\n`;
}

const onWire = <Report extends CatalogImportReport>(report: Report) => ({
  ...report,
  changes: report.changes.map(({ malId, ...change }) => ({ mal_id: malId, ...change })),
});

const changeLine = ({ malId, title, changed }: CatalogImportReport["changes"][number]) =>
  changed === "new"
    ? `    ${malId} ${title}: new`
    : `    ${malId} ${title}: ${changed.join(", ")} would change`;

/** The operator can fix an unreadable input, so the tool prints one line without a stack. */
const runReadable: typeof run = (inputs, flags, streams) =>
  run(inputs, flags, streams).catch((error: unknown) => {
    throw error instanceof CatalogReadError ? new CannotStart(error.message) : error;
  });

export const tool = defineTool({
  usage,
  options,
  allowPositionals: true,
  run: runReadable,
  ...usesDatabase,
});

import {
  type CatalogImportReport,
  importRecords,
  openCatalogFile,
  UnreadableCatalog,
} from "#app/domain/catalog/catalog.server.ts";
import { CannotStart } from "#app/platform/process/cannot-start.server.ts";
import { type FlagsOf, NotUnderstood, runTool } from "#app/platform/process/run-tool.server.ts";
import { closeDatabase } from "#db/client.server.ts";
import { migrate } from "#db/migrate.ts";

/** `npm run catalog:import -- FILE|URL…`: takes titles in, beside a running server or without one. */

const usage = `npm run catalog:import -- [options] FILE|URL…

Reads Jikan v4 JSON, the anime-offline-database (JSON or JSON lines) and our own NDJSON, gzipped or not.
What is there already is updated where the input knows more; nothing is erased.

  --dry-run         say what would be new, changed and rejected; change nothing
  --include-adult   take adult titles too (rating Rx, genres Hentai and Erotica)
  --json            the report as JSON
  --help            this text

Exit codes: 0 done, 1 refused or broken off, or nothing in it could be read, 2 not understood.
`;

const options = {
  "dry-run": { type: "boolean" },
  "include-adult": { type: "boolean" },
  json: { type: "boolean" },
} as const;

const isTerminal = process.stderr.isTTY;
const shown = 20;

async function run(places: string[], flags: FlagsOf<typeof options>): Promise<number> {
  if (places.length === 0) throw new NotUnderstood();
  await migrate();
  const reports: (CatalogImportReport & { source: string })[] = [];
  for (const place of places) {
    const source = await openCatalogFile(place);
    const report = await importRecords(source.records, {
      includeAdult: flags["include-adult"] ?? false,
      dryRun: flags["dry-run"] ?? false,
      onProgress: (read) => showProgress(place, read, source.bytes && source.bytesRead() / source.bytes),
    });
    if (isTerminal) process.stderr.write("\r\u001b[K");
    reports.push({ source: place, ...report });
    if (!flags.json) process.stdout.write(reportText(place, report, flags["dry-run"] ?? false));
  }
  if (flags.json) process.stdout.write(`${JSON.stringify(reports.map(onWire))}\n`);
  const broken = reports.flatMap(({ brokenOff }) => brokenOff ?? []);
  for (const reason of broken) process.stderr.write(`${reason}; the report tells of what came before\n`);
  return broken.length > 0 || reports.some(isFruitless) ? 1 : 0;
}

/** Some other kind of file: a script that imports nightly should hear of it. */
const isFruitless = ({ titles, details, leftOut, rejectedCount }: CatalogImportReport) =>
  rejectedCount > 0 &&
  leftOut === 0 &&
  [titles, details].every(({ added, changed, unchanged }) => added + changed + unchanged === 0);

const barWidth = 30;

function showProgress(place: string, read: number, share: number | null) {
  if (!isTerminal) return;
  const full = Math.round((share ?? 0) * barWidth);
  const bar = share === null ? "" : `[${"#".repeat(full)}${".".repeat(barWidth - full)}] `;
  process.stderr.write(`\r\u001b[K${bar}${read} records  ${place.slice(-40)}`);
}

function reportText(place: string, report: CatalogImportReport, dryRun: boolean): string {
  const { titles, changes, details, leftOut, rejectedCount, rejected } = report;
  const changeCount = titles.added + titles.changed;
  const would = dryRun ? "would be " : "";
  const lines = [
    `${place}${dryRun ? " (nothing was changed)" : ""}`,
    `  titles:  ${titles.added} ${would}new, ${titles.changed} ${would}changed, ${titles.unchanged} unchanged`,
    ...(dryRun ? changes.slice(0, shown).map(changeLine) : []),
    ...(dryRun && changeCount > shown ? ["    … more of them with --json"] : []),
    `  details: ${details.added} ${would}new, ${details.changed} ${would}changed, ${details.unchanged} unchanged`,
    ...(leftOut > 0 ? [`  left out as adult: ${leftOut} (--include-adult takes them)`] : []),
    ...(rejectedCount > 0 ? [`  rejected: ${rejectedCount}`] : []),
    ...rejected.slice(0, shown).map(({ where, reason }) => `    ${where}: ${reason}`),
    ...(rejectedCount > shown ? ["    … more of them with --json"] : []),
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

/** A source that cannot be read is the operator's to mend. */
const runReadable: typeof run = (places, flags) =>
  run(places, flags).catch((error: unknown) => {
    throw error instanceof UnreadableCatalog ? new CannotStart(error.message) : error;
  });

await runTool({ usage, options, allowPositionals: true, run: runReadable, close: closeDatabase });

import { spawn } from "node:child_process";
import { once } from "node:events";
import { createWriteStream } from "node:fs";
import { type FileHandle, mkdtemp, rm } from "node:fs/promises";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { pipeline } from "node:stream/promises";
import { z } from "zod";
import { importedText, isAnythingRead } from "#app/domain/catalog-import/catalog-import.server.ts";
import { done, type Outcome, refuse } from "#app/domain/errors.ts";
import { type Actor, recordEvent } from "#app/domain/events/events.server.ts";
import { lowerPriority } from "#app/platform/process/child-pool.server.ts";
import { env } from "#app/platform/process/env.server.ts";
import { hasFreeDisk } from "#app/platform/process/free-disk.server.ts";
import { ownFilePath } from "#app/platform/process/own-files.server.ts";
import { minutes } from "#app/platform/units.ts";
import { runOnOneInstance } from "#db/one-instance.server.ts";
import { scanForNewTitles } from "./scan-for-new-titles.server.ts";

/**
 * Imports a catalog file that an operator uploads, in a separate process, the tool `catalog-import`. A hostile file can
 * exhaust only that process, and pages stay fast.
 */

const counts = z.object({ added: z.number(), changed: z.number(), unchanged: z.number() });
const reportShape = z.object({
  titles: counts,
  details: counts,
  leftOut: z.number(),
  notInCatalog: z.number(),
  rejectedCount: z.number(),
  rejected: z.array(z.object({ where: z.string(), reason: z.string() })),
  brokenOff: z.string().nullable(),
});
export type SentCatalogReport = z.output<typeof reportShape>;

const maxMs = minutes(15);
const anotherRefusal = refuse("conflict", "Another file is being imported. Try again when it has ended");

/** The import continues if the operator leaves the page. */
export async function importSentCatalog(file: FileHandle, actor: Actor): Promise<Outcome<SentCatalogReport>> {
  if (!(await hasFreeDisk())) return refuse("disk_full");
  let outcome = anotherRefusal as Outcome<SentCatalogReport>;
  await runOnOneInstance("import of a sent catalog", async () => {
    outcome = await importAlone(file);
  });
  if (outcome.ok) {
    await scanForNewTitles(outcome.value, "operator");
    await recordEvent({ kind: "catalog_imported", actor, detail: importedText(outcome.value) });
  }
  return outcome;
}

/** The tool needs a path, and the uploaded file has no name. */
async function importAlone(file: FileHandle): Promise<Outcome<SentCatalogReport>> {
  const folder = await mkdtemp(join(env.DATA_DIR, "sent-catalog-"));
  try {
    const path = join(folder, "file");
    await pipeline(file.createReadStream({ start: 0, autoClose: false }), createWriteStream(path));
    return await runImport(path);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function runImport(path: string): Promise<Outcome<SentCatalogReport>> {
  const tool = spawn(
    process.execPath,
    ["--max-old-space-size=256", ownFilePath("build/server/catalog-import.js"), "--for-site", "--json", path],
    { stdio: ["ignore", "pipe", "pipe"], timeout: maxMs, killSignal: "SIGKILL" },
  );
  lowerPriority(tool, 5);
  const [said, complaint] = await Promise.all([text(tool.stdout), text(tool.stderr), once(tool, "close")]);
  const [report] = readReports(said);
  if (!report)
    return refuse("invalid", sentenceIn(complaint) ?? "The file could not be imported. The log says why");
  if (hasNothing(report))
    return refuse("invalid", report.brokenOff ?? "The file has no entry that can be used");
  return done(report);
}

const hasNothing = ({ leftOut, notInCatalog, ...counts }: SentCatalogReport) =>
  !isAnythingRead(counts) && leftOut === 0 && notInCatalog === 0;

function readReports(said: string): SentCatalogReport[] {
  try {
    return z.array(reportShape).parse(JSON.parse(said));
  } catch {
    return [];
  }
}

/** The tool's message for the operator, found among its log lines. */
const sentenceIn = (complaint: string) => complaint.split("\n").findLast((line) => line.startsWith("The "));

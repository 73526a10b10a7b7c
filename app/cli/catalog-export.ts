import { createWriteStream } from "node:fs";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { createGzip } from "node:zlib";
import { migrateWithBackup } from "#app/domain/backup/backup.server.ts";
import { exportCatalog } from "#app/domain/catalog/catalog.server.ts";
import { explainFileError } from "#app/platform/process/cannot-start.server.ts";
import {
  defineTool,
  type FlagsOf,
  NotUnderstood,
  type Streams,
} from "#app/platform/process/run-tool.server.ts";
import { usesDatabase } from "#db/client.server.ts";

/** `npm run catalog:export -- [FILE]`: exports the whole catalog as NDJSON, which `catalog:import` reads. */

const usage = `Usage: npm run -s catalog:export -- [--with-texts] [FILE]

Writes the catalog as NDJSON to FILE, or to the standard output. If FILE ends in .gz, the output is gzipped. Texts whose
source does not allow to give them away are left out.

  --with-texts   also write these texts, for another installation of your own
  --help         print this text

Exit codes: 0 success, 1 failure (the message says why), 2 wrong arguments.
`;

const options = { "with-texts": { type: "boolean" } } as const;

async function run([file, ...more]: string[], flags: FlagsOf<typeof options>, { stdout }: Streams) {
  if (more.length > 0) throw new NotUnderstood();
  await migrateWithBackup();
  const lines = Readable.from(exportCatalog({ withTexts: flags["with-texts"] ?? false }));
  if (file === undefined) await pipeline(lines, stdout, { end: false });
  else await writeTo(file, lines);
  return 0;
}

async function writeTo(file: string, lines: Readable) {
  try {
    const target = createWriteStream(file);
    await (file.endsWith(".gz") ? pipeline(lines, createGzip(), target) : pipeline(lines, target));
  } catch (error) {
    throw explainFileError(error, "The file", file);
  }
}

export const tool = defineTool({ usage, options, allowPositionals: true, run, ...usesDatabase });

import { createHash } from "node:crypto";
import { createReadStream, createWriteStream, statSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { basename, dirname, resolve } from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { createGzip } from "node:zlib";
import { migrateWithBackup } from "#app/domain/backup/backup.server.ts";
import {
  exportCatalog,
  listDataSources,
  sourceOnWire,
} from "#app/domain/catalog-sharing/catalog-sharing.server.ts";
import { commandText } from "#app/platform/command-text.server.ts";
import { CannotStart, explainFileError } from "#app/platform/process/cannot-start.server.ts";
import { defineTool, type FlagsOf, type Streams, UsageError } from "#app/platform/process/run-tool.server.ts";
import { exportForJikan } from "#app/wire/jikan/jikan-export.server.ts";
import { usesDatabase } from "#db/client.server.ts";

/** `npm run catalog:export -- [FILE]`: exports the whole catalog as NDJSON, which `catalog:import` reads. */

const usage = `Usage: ${commandText("catalog:export", "[--jikan] [--with-texts] [FILE]").replace("run", "run -s")}

Writes the catalog as NDJSON to FILE, or to the standard output. If FILE ends in .gz, the output is gzipped. Texts and
addresses of pictures whose source does not allow to give them away are left out. The first line names the sources and their
licenses.

  --jikan        write one title of Jikan v4 (anime_full) on each line, without pictures; also writes FILE.sha256 and
                 FILE.sources.json, which names the sources and their licenses
  --with-texts   also write these texts and addresses, for another installation of your own
  --help         print this text

Exit codes: 0 success, 1 failure (the message says why), 2 wrong arguments.
`;

const options = { "with-texts": { type: "boolean" }, jikan: { type: "boolean" } } as const;

async function run([file, ...more]: string[], flags: FlagsOf<typeof options>, { stdout }: Streams) {
  if (more.length > 0) throw new UsageError();
  await migrateWithBackup();
  const write = flags.jikan ? exportForJikan : exportCatalog;
  const lines = Readable.from(write({ withTexts: flags["with-texts"] ?? false }));
  if (file === undefined) await pipeline(lines, stdout, { end: false });
  else
    await writeFiles(file, lines, flags.jikan ?? false).catch((error) => {
      throw explainFileError(error, "The file", file);
    });
  return 0;
}

async function writeFiles(file: string, lines: Readable, isForJikan: boolean) {
  const folder = dirname(resolve(file));
  if (!statSync(folder, { throwIfNoEntry: false }))
    throw new CannotStart(`The folder ${folder} does not exist`);
  const target = createWriteStream(file);
  await (file.endsWith(".gz") ? pipeline(lines, createGzip(), target) : pipeline(lines, target));
  if (!isForJikan) return;
  await writeChecksum(file);
  await writeFile(
    `${file}.sources.json`,
    `${JSON.stringify((await listDataSources()).map(sourceOnWire), null, 2)}\n`,
  );
}

/** Writes a checksum file for `sha256sum --check`. */
async function writeChecksum(file: string) {
  const hash = createHash("sha256");
  await pipeline(createReadStream(file), hash);
  await writeFile(`${file}.sha256`, `${hash.digest("hex")}  ${basename(file)}\n`);
}

export const tool = defineTool({ usage, options, allowPositionals: true, run, ...usesDatabase });

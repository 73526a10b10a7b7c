import { stat } from "node:fs/promises";
import { dirname, resolve } from "node:path";
import {
  migrateWithBackup,
  newBackupPath,
  verifyBackup,
  writeBackup,
} from "#app/domain/backup/backup.server.ts";
import { done, refuse } from "#app/domain/errors.ts";
import { commandLine, recordEvent } from "#app/domain/events/events.server.ts";
import { commandText } from "#app/platform/command-text.server.ts";
import { explainFileError } from "#app/platform/process/cannot-start.server.ts";
import { defineTool, type FlagsOf, UsageError } from "#app/platform/process/run-tool.server.ts";
import { missingDatabaseText, usesDatabase } from "#db/client.server.ts";

/** `npm run backup`: writes all data of the installation to one file. The site can keep running. */

const options = { verify: { type: "string" }, json: { type: "boolean" } } as const;

const usage = `Usage: ${commandText("backup", "[FILE] [options]")}
       ${commandText("backup", "--verify FILE")}

Writes accounts, lists, the catalog and stored pictures to FILE. The default is DATA_DIR/backups/engawa-TIME.gz.
The folder of another FILE has to exist, so that a backup for a disk that is not mounted lands on no other.
The backup shows one moment, and the site can keep running. ${commandText("restore")} reads it, into this or another database.

  --verify FILE   read a backup to its end without restoring it: its checksums, tables, rows and pictures
  --json          print JSON          --help   this text

Exit codes: 0 success, 1 failure (the message says why), 2 wrong arguments.
`;

async function run(words: string[], { verify }: FlagsOf<typeof options>) {
  if (words.length > (verify === undefined ? 1 : 0)) throw new UsageError();
  if (verify !== undefined) return check(resolve(verify));
  const missing = missingDatabaseText();
  if (missing !== null) return refuse("not_found", missing);
  const standardFile = resolve(newBackupPath());
  const file = resolve(words[0] ?? standardFile);
  const folder = dirname(file);
  // Only the folder in DATA_DIR is made here: another one may be missing because its disk is not mounted.
  const found = await stat(folder).catch((error) => {
    if (error.code === "ENOENT") return null;
    throw explainFileError(error, "The backup", file);
  });
  if (folder !== dirname(standardFile) && found === null)
    return refuse(
      "not_found",
      `The folder ${folder} does not exist. Mount its disk, or create the folder. Nothing was written.`,
    );
  // The finished backup would replace a device, such as that of a tape.
  const target = found && (await stat(file).catch(() => null));
  if (target && !target.isFile())
    return refuse("invalid", `${file} is a folder or a device. Name the file of a backup`);
  await migrateWithBackup();
  const written = await writeBackup(file).catch((error) => {
    throw explainFileError(error, "The backup", file);
  });
  await recordEvent({ kind: "backup_made", actor: commandLine });
  const lost =
    written.missingPictures > 0 ? `, ${written.missingPictures} pictures are missing in the storage` : "";
  return done({
    text: `${file}: ${written.rows} rows, ${written.pictures} pictures${lost}`,
    json: written,
  });
}

async function check(file: string) {
  const verified = await verifyBackup(file);
  if (!verified.ok) return verified;
  const { rows, pictures, madeAt, tables, hasChecksum } = verified.value;
  const tableCount = Object.keys(tables).length;
  const unchecked = hasChecksum
    ? ""
    : ". An older version wrote it without a checksum of its content, so a file that was damaged and packed again would look whole";
  return done({
    text: `${file} is complete: ${rows} rows in ${tableCount} tables and ${pictures} pictures of ${madeAt}${unchecked}`,
    json: verified.value,
  });
}

export const tool = defineTool({ usage, options, allowPositionals: true, run, ...usesDatabase });

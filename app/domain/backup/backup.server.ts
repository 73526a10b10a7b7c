import { readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { fillTitleKeys, numberFirstTags } from "#app/domain/catalog/catalog.server.ts";
import { log } from "#app/platform/log.server.ts";
import { env } from "#app/platform/process/env.server.ts";
import { migrate } from "#db/migrate.ts";
import { writeBackup } from "./write-backup.server.ts";

/** The front door of backups: by hand with `npm run backup` and `npm run restore`, and before every migration. */

export { restoreBackup } from "./restore-backup.server.ts";
export { verifyBackup } from "./verify-backup.server.ts";
export { writeBackup } from "./write-backup.server.ts";

const folder = () => join(env.DATA_DIR, "backups");
const stamp = () => new Date().toISOString().replaceAll(/[:.]/g, "-");
const maxMigrationBackups = 3;

export const newBackupPath = () => join(folder(), `engawa-${stamp()}.gz`);

/** Migrates the database and its data, and writes a backup first if there is anything to migrate. */
export async function migrateWithBackup(): Promise<void> {
  await migrate({ beforeChange: backUpBeforeMigration });
  await fillTitleKeys();
  await numberFirstTags();
}

/** Without pictures, because migrations do not change them. */
async function backUpBeforeMigration(pending: readonly string[]): Promise<void> {
  const { file, rows } = await writeBackup(join(folder(), `before-migration-${stamp()}.gz`), {
    pictures: false,
  });
  log.info("wrote a backup before the migration", { file, rows, migrations: pending.join(" ") });
  const older = (await readdir(folder())).filter((name) => /^before-migration-.*\.gz$/.test(name)).sort();
  for (const name of older.slice(0, -maxMigrationBackups)) await rm(join(folder(), name), { force: true });
}

import { join } from "node:path";
import { fillTitleKeys, numberFirstTags } from "#app/domain/catalog/catalog.server.ts";
import { log } from "#app/platform/log.server.ts";
import { migrate } from "#db/migrate.ts";
import {
  backupFolder,
  deleteOldMigrationBackups,
  newMigrationBackupPath,
  stamp,
} from "./migration-backups.server.ts";
import { writeBackup } from "./write-backup.server.ts";

/** The front door of backups: by hand with `npm run backup` and `npm run restore`, and before every migration. */

export { findInstalledVersion } from "./migration-backups.server.ts";
export { restoreBackup } from "./restore-backup.server.ts";
export { verifyBackup } from "./verify-backup.server.ts";
export { writeBackup } from "./write-backup.server.ts";

export const newBackupPath = () => join(backupFolder(), `engawa-${stamp()}.gz`);

/** Migrates the database and its data, and writes a backup first if there is anything to migrate. */
export async function migrateWithBackup(): Promise<void> {
  await migrate({ beforeChange: backUpBeforeMigration });
  await fillTitleKeys();
  await numberFirstTags();
}

/** Without pictures, because migrations do not change them. */
async function backUpBeforeMigration(pending: readonly string[]): Promise<void> {
  const { file, rows } = await writeBackup(newMigrationBackupPath(), { pictures: false });
  log.info("wrote a backup before the migration", { file, rows, migrations: pending.join(" ") });
  await deleteOldMigrationBackups();
}

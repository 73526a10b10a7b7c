import { join } from "node:path";
import { migrate } from "#db/migrate.ts";
import { backupFolder } from "./backup-folder.server.ts";
import { renewDerivedData } from "./derived-data.server.ts";
import { backUpBeforeMigration, stamp } from "./migration-backups.server.ts";
import { endUpgrade } from "./upgrades.server.ts";

/**
 * The door of backups: those made with `npm run backup` and restored with `npm run restore`, and those before
 * migrations.
 */

export { getInstalledVersion } from "./migration-backups.server.ts";
export { restoreBackup } from "./restore-backup.server.ts";
export { countServedTime } from "./upgrades.server.ts";
export { verifyBackup } from "./verify-backup.server.ts";
export { writeBackup } from "./write-backup.server.ts";

export const newBackupPath = () => join(backupFolder(), `engawa-${stamp()}.gz`);

/** Migrates the database and its data, and writes a backup first if there is anything to migrate. */
export async function migrateWithBackup(): Promise<void> {
  await migrate({ beforeChange: backUpBeforeMigration });
  await endUpgrade();
  await renewDerivedData();
}

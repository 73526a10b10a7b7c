import { chown, readdir, readFile, rm, stat } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { env } from "#app/platform/process/env.server.ts";
import { ownFilePath } from "#app/platform/process/own-files.server.ts";
import { migrations } from "#db/migrate.ts";

/** The backups that were made before the database changed, so that operators can go back to the version before. */

export const backupFolder = () => join(env.DATA_DIR, "backups");
export const stamp = () => new Date().toISOString().replaceAll(/[:.]/g, "-");

/** Root makes a backup of a service that runs as another user. That user's next update writes into the folder, too. */
export async function giveToSite(file: string): Promise<void> {
  if (process.getuid?.() !== 0 || dirname(resolve(file)) !== resolve(backupFolder())) return;
  const { uid, gid } = await stat(env.DATA_DIR);
  for (const path of [backupFolder(), file]) await chown(path, uid, gid);
}

const maxMigrationBackups = 3;
const nameOfBackup = /^before-migration-(\d{4}-\d\d-\d\d)T(\d\d)-(\d\d)-(\d\d)-(\d{3})Z\.gz$/;

export const newMigrationBackupPath = () => join(backupFolder(), `before-migration-${stamp()}.gz`);

export async function deleteOldMigrationBackups(): Promise<void> {
  for (const name of (await listNames()).slice(0, -maxMigrationBackups))
    await rm(join(backupFolder(), name), { force: true });
}

/** What runs, and what leads back to the version before. */
type InstalledVersion = {
  version: string;
  /** The last change of the database that this version knows. */
  lastMigration: string;
  /** Null: no update has changed the database since the site was new, or the backups are gone. */
  backup: { file: string; madeAt: Date } | null;
};

export async function findInstalledVersion(): Promise<InstalledVersion> {
  const { version } = JSON.parse(await readFile(ownFilePath("package.json"), "utf8")) as { version: string };
  return {
    version,
    lastMigration: migrations.at(-1)?.name ?? "",
    backup: await findLastMigrationBackup(),
  };
}

async function findLastMigrationBackup(): Promise<InstalledVersion["backup"]> {
  const name = (await listNames().catch(() => [])).at(-1);
  const [, day, hour, minute, second, ms] = nameOfBackup.exec(name ?? "") ?? [];
  if (name === undefined || day === undefined) return null;
  return {
    file: join(backupFolder(), name),
    madeAt: new Date(`${day}T${hour}:${minute}:${second}.${ms}Z`),
  };
}

const listNames = async () =>
  (await readdir(backupFolder())).filter((name) => nameOfBackup.test(name)).sort();

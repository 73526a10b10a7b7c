import { existsSync } from "node:fs";
import { readdir, readFile, rm } from "node:fs/promises";
import { basename, join } from "node:path";
import { log } from "#app/platform/log.server.ts";
import { ownFilePath } from "#app/platform/process/own-files.server.ts";
import { type AppliedMigration, migrations } from "#db/migrate.ts";
import { backupFolder } from "./backup-folder.server.ts";
import { openFrames } from "./backup-format.server.ts";
import { beginUpgrade, findBackupOfUnfinished, isReplaced, readUpgradeMemory } from "./upgrades.server.ts";
import { writeBackup } from "./write-backup.server.ts";

/** Backups from before a migration, with which operators can return to the previous version. */

export const stamp = () => new Date().toISOString().replaceAll(/[:.]/g, "-");

/** The limit for backups that are not needed any more. */
const maxMigrationBackups = 3;
const nameOfBackup = /^before-migration-(\d{4}-\d\d-\d\d)T(\d\d)-(\d\d)-(\d\d)-(\d{3})Z\.gz$/;

/**
 * Writes a backup without pictures, because migrations do not change them. If an interrupted upgrade left the database
 * half-migrated, the backup from before that upgrade is kept instead: nothing has changed since, and no version could
 * use a backup of the half-migrated state.
 */
export async function backUpBeforeMigration(
  pending: readonly string[],
  applied: readonly AppliedMigration[],
): Promise<void> {
  const earlier = await findBackupOfUnfinished(applied);
  if (earlier !== null && existsSync(join(backupFolder(), earlier))) {
    log.info("continues an interrupted migration; its backup is kept", { backup: earlier });
    return;
  }
  const path = join(backupFolder(), `before-migration-${stamp()}.gz`);
  const { file, rows } = await writeBackup(path, { pictures: false });
  log.info("wrote a backup before the migration", { file, rows, migrations: pending.join(" ") });
  await beginUpgrade(applied, basename(file));
  await deleteOldMigrationBackups();
}

/**
 * Keeps the newest backup of each version until a later version has served long enough. Also deletes unfinished files:
 * migrations run one at a time, so a process that was killed has left them.
 */
async function deleteOldMigrationBackups(): Promise<void> {
  const memory = await readUpgradeMemory();
  const names = await listNames();
  const newestOf = new Map<string, string>();
  for (const name of names) newestOf.set((await findVersion(name)) ?? "", name);
  const needed = [...newestOf].flatMap(([version, name]) =>
    version === "" || isReplaced(version, memory) ? [] : name,
  );
  const excess = names.slice(0, -maxMigrationBackups).filter((name) => !needed.includes(name));
  const unfinished = (await readdir(backupFolder())).filter(
    (name) => nameOfBackup.test(name.replace(/\.unfinished$/, "")) && name.endsWith(".unfinished"),
  );
  for (const name of [...excess, ...unfinished]) await rm(join(backupFolder(), name), { force: true });
}

/** The version from which a backup was made, or null if its beginning cannot be read. */
async function findVersion(name: string): Promise<string | null> {
  try {
    const { frames, close } = await openFrames(join(backupFolder(), name));
    const { value } = await frames.next().finally(close);
    return value?.frame.kind === "backup" ? (value.frame.migrations.toSorted().at(-1) ?? null) : null;
  } catch {
    return null;
  }
}

/** The running version, and the backup that leads back to the previous one. */
type InstalledVersion = {
  version: string;
  /** The last change of the database that this version knows. */
  lastMigration: string;
  /** Null if no update has changed the database since the site was new, or if the backups are gone. */
  backup: { file: string; madeAt: Date } | null;
};

export async function getInstalledVersion(): Promise<InstalledVersion> {
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

import { randomUUID } from "node:crypto";
import { open, readFile, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import { errorFields, log } from "#app/platform/log.server.ts";
import { env } from "#app/platform/process/env.server.ts";
import { hours, minutes } from "#app/platform/units.ts";
import { type AppliedMigration, migrations } from "#db/migrate.ts";
import { giveToSite } from "./backup-folder.server.ts";

/**
 * Records the site's upgrades in a file of DATA_DIR. A version is named by its last migration. The file says which
 * upgrade is unfinished, so that a start after a kill recognises a half-migrated database. It also says how long each
 * version has served, because the backup of the previous version is kept until the new one has proved itself.
 */

const upgradeShape = z.object({
  /** The version that the database had when the upgrade began. */
  from: z.string(),
  /** The time at which the database got that version. It differs after a restore and in another database. */
  fromAppliedAt: z.string(),
  to: z.string(),
  /** The name of the backup's file. */
  backup: z.string(),
});

const memoryShape = z.object({
  unfinished: upgradeShape.nullable(),
  servedMs: z.record(z.string(), z.number().min(0)),
});
type UpgradeMemory = z.infer<typeof memoryShape>;

const memoryFile = () => join(env.DATA_DIR, "upgrades.json");

export async function readUpgradeMemory(): Promise<UpgradeMemory> {
  try {
    return memoryShape.parse(JSON.parse(await readFile(memoryFile(), "utf8")));
  } catch {
    // A new site has no such file. Without the file more backups are kept, never fewer.
    return { unfinished: null, servedMs: {} };
  }
}

async function writeUpgradeMemory(memory: UpgradeMemory): Promise<void> {
  const file = memoryFile();
  const draft = `${file}.${randomUUID()}`;
  try {
    const handle = await open(draft, "wx", 0o600);
    try {
      await handle.writeFile(`${JSON.stringify(memory)}\n`);
      await handle.sync();
    } finally {
      await handle.close();
    }
    await rename(draft, file);
    await giveToSite(file);
  } catch (error) {
    await rm(draft, { force: true });
    throw error;
  }
}

/** The version of a database: the last of its migrations. */
const versionOf = (applied: readonly AppliedMigration[]) =>
  applied.reduce((last, one) => (one.name > last.name ? one : last));

/** The backup from before an upgrade that was interrupted and left this database half-migrated, or null. */
export async function findBackupOfUnfinished(applied: readonly AppliedMigration[]): Promise<string | null> {
  const { unfinished } = await readUpgradeMemory();
  if (!unfinished) return null;
  const { from, to, fromAppliedAt, backup } = unfinished;
  const current = versionOf(applied).name;
  const isSameDatabase = applied.some((one) => one.name === from && one.appliedAt === fromAppliedAt);
  return isSameDatabase && from < current && current < to ? backup : null;
}

/**
 * Records that an upgrade has begun. After a return to the previous version, the served time of the later versions
 * starts at zero again.
 */
export async function beginUpgrade(applied: readonly AppliedMigration[], backup: string): Promise<void> {
  const { name: from, appliedAt: fromAppliedAt } = versionOf(applied);
  const { servedMs } = await readUpgradeMemory();
  await writeUpgradeMemory({
    unfinished: { from, fromAppliedAt, to: migrations.at(-1)?.name ?? from, backup },
    servedMs: Object.fromEntries(Object.entries(servedMs).filter(([version]) => version <= from)),
  });
}

export async function endUpgrade(): Promise<void> {
  const memory = await readUpgradeMemory();
  if (memory.unfinished) await writeUpgradeMemory({ ...memory, unfinished: null });
}

/** An operator who has served a version this long has seen whether it works. */
const maxProbationMs = hours(24);

export const isReplaced = (version: string, { servedMs }: UpgradeMemory): boolean =>
  Object.entries(servedMs).some(([later, ms]) => later > version && ms >= maxProbationMs);

/** Counts the time in which this version serves. The returned function adds the rest and stops counting. */
export function countServedTime(intervalMs = minutes(1)): () => Promise<void> {
  const version = migrations.at(-1)?.name ?? "";
  let countedUntil = performance.now();
  let counting = Promise.resolve();
  const count = () => {
    counting = counting
      .then(addServedTime)
      .catch((error) =>
        log.warnOnce("served-time", "cannot write how long this version has served", errorFields(error)),
      );
    return counting;
  };
  async function addServedTime() {
    const now = performance.now();
    const memory = await readUpgradeMemory();
    const before = memory.servedMs[version] ?? 0;
    const servedMs = { ...memory.servedMs, [version]: Math.round(before + now - countedUntil) };
    await writeUpgradeMemory({ ...memory, servedMs });
    countedUntil = now;
  }
  const timer = setInterval(() => void count(), intervalMs).unref();
  return () => {
    clearInterval(timer);
    return count();
  };
}

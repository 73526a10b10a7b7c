import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { afterEach, beforeEach, expect, test } from "vitest";
import { countServedTime } from "#app/domain/backup/backup.server.ts";
import { encodeFrameLine } from "#app/domain/backup/backup-format.server.ts";
import { backUpBeforeMigration } from "#app/domain/backup/migration-backups.server.ts";
import { env } from "#app/platform/process/env.server.ts";
import { hours } from "#app/platform/units.ts";
import { type AppliedMigration, migrations } from "#db/migrate.ts";

/** Which backups from before migrations are kept, and for how long. */

const folder = join(env.DATA_DIR, "backups");
const memoryFile = join(env.DATA_DIR, "upgrades.json");
const present = migrations.at(-1)!.name;

beforeEach(() => mkdirSync(folder, { recursive: true }));
afterEach(() => {
  for (const path of [folder, memoryFile]) rmSync(path, { recursive: true, force: true });
});

/** A backup from before this month, of a database with the migrations up to `version`. */
function putBackup(day: number, version: string) {
  const name = `before-migration-2024-01-${String(day).padStart(2, "0")}T00-00-00-000Z.gz`;
  const head = encodeFrameLine({
    kind: "backup",
    format: "engawa-backup",
    version: 1,
    madeAt: new Date().toISOString(),
    migrations: migrations.map((one) => one.name).filter((one) => one <= version),
    tables: [],
  });
  writeFileSync(join(folder, name), gzipSync(head));
  return name;
}

const writeMemory = (servedMs: Record<string, number>, unfinished: object | null = null) =>
  writeFileSync(memoryFile, JSON.stringify({ unfinished, servedMs }));
const readMemory = () => JSON.parse(readFileSync(memoryFile, "utf8"));
const listBackups = () => readdirSync(folder).filter((name) => name.startsWith("before-migration-"));

const appliedUpTo = (version: string, appliedAt = "then"): AppliedMigration[] =>
  migrations.filter(({ name }) => name <= version).map(({ name }) => ({ name, appliedAt }));

/** Five versions, from which older programs left backups. The last four are half-migrated states. */
const putFive = () =>
  ["0001_tables", "0005_sort_keys", "0010_birthday_removed", "0015_catalog_changes", "0020_local_titles"].map(
    (version, index) => putBackup(index + 1, version),
  );

test("each version's backup stays until a later version has run for 24 hours", async () => {
  const names = putFive();
  writeMemory({ "0030_scanning": hours(24) - 1 });
  await backUpBeforeMigration(["next"], appliedUpTo(present));
  expect(listBackups().slice(0, -1)).toEqual(names);

  writeMemory({ "0030_scanning": hours(24) });
  await backUpBeforeMigration(["next"], appliedUpTo(present));
  const left = listBackups();
  expect(left).toHaveLength(3);
  expect(left[0]).toBe(names.at(-1));
});

test("an earlier version does not replace a later one's backup, and a version's oldest backups are deleted", async () => {
  const [first = "", ...same] = [
    putBackup(1, "0001_tables"),
    ...[2, 3, 4, 5].map((day) => putBackup(day, "0030_scanning")),
  ];
  writeMemory({ "0001_tables": hours(1000) });
  await backUpBeforeMigration(["next"], appliedUpTo(present));
  expect(listBackups().slice(0, -1)).toEqual([first, ...same.slice(-2)]);
});

test("a repeated upgrade after a return to the earlier version counts from zero, and unfinished files are deleted", async () => {
  writeFileSync(join(folder, "before-migration-2024-01-01T00-00-00-000Z.gz.unfinished"), "");
  writeMemory({ "0001_tables": 5, [present]: 7, "9999_later": hours(24) });
  await backUpBeforeMigration(["9999_later"], appliedUpTo(present));
  expect(readMemory().servedMs).toEqual({ "0001_tables": 5, [present]: 7 });
  expect(listBackups()).toEqual([readMemory().unfinished.backup]);
});

const unfinished = { from: "0001_tables", fromAppliedAt: "then", to: present };

test("a half-migrated database gets no backup while the earlier version's backup exists", async () => {
  const backup = putBackup(1, "0001_tables");
  writeMemory({}, { ...unfinished, backup });
  await backUpBeforeMigration(["next"], appliedUpTo("0010_birthday_removed"));
  expect(listBackups()).toEqual([backup]);

  rmSync(join(folder, backup));
  await backUpBeforeMigration(["next"], appliedUpTo("0010_birthday_removed"));
  expect(listBackups()).toHaveLength(1);
});

test.each<[string, AppliedMigration[]]>([
  ["that was restored to the version before", appliedUpTo("0001_tables")],
  ["that another instance has migrated to the end", appliedUpTo(present)],
  ["that is not the one of the interrupted upgrade", appliedUpTo("0010_birthday_removed", "another time")],
])("a database %s gets its own backup", async (_which, applied) => {
  const backup = putBackup(1, "0001_tables");
  writeMemory({}, { ...unfinished, backup });
  await backUpBeforeMigration(["next"], applied);
  expect(listBackups()).toHaveLength(2);
});

test("a version's running time adds up over restarts and is kept in DATA_DIR", async () => {
  const served = () => readMemory().servedMs[present] as number;
  writeMemory({ "0001_tables": 5 });
  const stop = countServedTime(10);
  await expect.poll(() => served() > 0).toBe(true);
  await stop();
  const first = served();
  await countServedTime(hours(1))();
  const stopAgain = countServedTime(10);
  await expect.poll(() => served() > first).toBe(true);
  await stopAgain();
  expect(readMemory().servedMs["0001_tables"]).toBe(5);
});

import { dirname } from "node:path";
import { expect, test } from "vitest";
import { arrows, broken, expectOnly, pathFiles } from "#tests/support/checks/rules.ts";
import {
  type Arrow,
  arrowsOf,
  codeFiles,
  findCycles,
  imports,
  testFiles,
} from "#tests/support/checks/source-files.ts";

const mayReach: Record<string, string[]> = {
  "app/routes": ["app/routes", "app/wire", "app/access", "app/http", "app/ui", "app/domain", "app/platform"],
  "app/wire": ["app/wire", "app/access", "app/http", "app/domain", "app/platform"],
  "app/access": ["app/access", "app/http", "app/domain", "app/platform"],
  "app/http": ["app/http", "app/domain", "app/platform"],
  "app/ui": ["app/ui", "app/domain"],
  "app/domain": ["app/domain", "app/media", "app/platform", "db"],
  "app/media": ["app/media"],
  "app/workers": ["app/domain", "app/media", "app/platform"],
  "app/platform": ["app/platform"],
  "app/cli": ["app/cli", "app/wire", "app/domain", "app/platform", "db"],
  // The start waits for the late parts of pages.
  "app/start": ["app/start", "app/access", "app/http", "app/ui", "app/domain", "app/platform", "db"],
  db: ["db", "app/platform"],
  // The document shell: root, entry, routes.ts.
  app: ["app", "app/wire", "app/access", "app/http", "app/ui", "app/domain", "app/platform"],
};

/** Pure modules that import at most each other, so every top folder may import them. */
const forEveryFolder = new Set([...pathFiles, "app/platform/units.ts", "app/platform/media-types.ts"]);

/** Tests that may import modules that the door of their noun does not export. */
const testsBehindDoors = new Set([
  "tests/integration/scanning/watched-folder.isolated.test.ts",
  "tests/integration/details/queue.isolated.test.ts",
  "tests/integration/backup/migration-backups.test.ts",
  "tests/integration/images/storage.test.ts",
  "tests/integration/library/import-in-pieces.test.ts",
  "tests/integration/library/list-import-locking.test.ts",
  "tests/integration/settings/previous-storage.slow.test.ts",
  "tests/load/in-process/hostile-texts.test.ts",
  "tests/release/killed-uploads.test.ts",
]);

const topFolders = Object.keys(mayReach).sort((one, other) => other.length - one.length);
const topFolderOf = (file: string) => topFolders.find((name) => file.startsWith(`${name}/`)) ?? "outside";
const nounOf = (file: string) => /^app\/domain\/([^/]+)\//.exec(file)?.[1];
const isDoor = (file: string) => new RegExp(`/${nounOf(file)}(\\.server)?\\.tsx?$`).test(file);
const isServer = (file: string) => file.includes(".server.") || /^(app\/cli|app\/workers|db)\//.test(file);

test("a top folder imports only the folders that the table allows", () => {
  const isAllowed = ({ from, to }: Arrow) =>
    forEveryFolder.has(to) || mayReach[topFolderOf(from)]?.includes(topFolderOf(to)) === true;
  expect(broken((arrow) => !isAllowed(arrow))).toEqual([]);
  for (const file of forEveryFolder)
    expect(imports.get(file)).toEqual(file === pathFiles[1] ? [pathFiles[0]] : []);
});

test("files import each other without cycles, type imports included", () => {
  expect(findCycles(new Map(codeFiles.map((file) => [file, imports.get(file) ?? []])))).toEqual([]);
});

test("nouns of the domain import each other without cycles", () => {
  const next = new Map<string, string[]>();
  for (const { from, to } of arrows) {
    const [one, other] = [nounOf(from), nounOf(to)];
    if (one && other && one !== other) next.set(one, [...(next.get(one) ?? []), other]);
  }
  expect(findCycles(next)).toEqual([]);
});

test("shelves of a noun, and of media, import each other without cycles", () => {
  const shelfOf = (file: string) => /^app\/(?:media|domain\/[^/]+)\/[^/]+(?=\/)/.exec(file)?.[0];
  const roomOf = (shelf: string) => dirname(shelf);
  const next = new Map<string, string[]>();
  for (const { from, to } of arrows) {
    const [one, other] = [shelfOf(from), shelfOf(to)];
    if (one && other && one !== other && roomOf(one) === roomOf(other))
      next.set(one, [...(next.get(one) ?? []), other]);
  }
  expect(findCycles(next)).toEqual([]);
});

test("a noun of the domain is imported through its door", () => {
  // A worker imports only the module that it runs, because the door would load the database too.
  const isWorker = (file: string) => file.startsWith("app/workers/");
  const isInside = ({ from, to }: Arrow) =>
    nounOf(to) !== undefined && nounOf(from) !== nounOf(to) && !isDoor(to) && !isWorker(from);
  expect(broken(isInside)).toEqual([]);
  const integration = testFiles.filter((file) => /^tests\/(integration|cluster|load|release)\//.test(file));
  expectOnly(
    testsBehindDoors,
    new Set(
      arrowsOf(integration)
        .filter(isInside)
        .map(({ from }) => from),
    ),
  );
});

test("only the backup migrates the site's database, so that a backup precedes every migration", () => {
  const mayMigrate = /^app\/domain\/backup\//;
  expect(broken(({ from, to }) => to === "db/migrate.ts" && !mayMigrate.test(from))).toEqual([]);
});

test("only server files import the database, and ui neither contains nor imports a server file", () => {
  // The enumerations import nothing, so files for the browser may import them.
  const isDatabase = (file: string) => file.startsWith("db/") && file !== "db/schema/enumerations.ts";
  expect(broken(({ from, to }) => isDatabase(to) && !isServer(from))).toEqual([]);
  expect(broken(({ from, to }) => from.startsWith("app/ui/") && isServer(to))).toEqual([]);
  expect(codeFiles.filter((file) => file.startsWith("app/ui/") && isServer(file))).toEqual([]);
});

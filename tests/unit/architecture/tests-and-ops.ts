import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { broken, expectOnly } from "#tests/support/checks/rules.ts";
import { arrowsOf, opsFiles, sources, specifiersOf, testFiles } from "#tests/support/checks/source-files.ts";

/** Unit tests that do not mirror a single module, each with its subject. */
const testsOfMore: Record<string, string> = {
  "tests/unit/architecture.test.ts": "all sources",
  "tests/unit/starter-catalog.test.ts": "the data of the starter catalog",
  "tests/unit/domain/proxy/playlist-checker.test.ts": "the checker that the playlist tests trust",
  "tests/unit/http/incoming-request-behind-proxy.isolated.test.ts": "incoming-request in another environment",
  "tests/unit/http/cors-origins.isolated.test.ts": "cors and same-origin in another environment",
  "tests/unit/http/failing-limiter.isolated.test.ts": "rate-limit with a broken store",
};

/** Modules that browser tests may import from the sources. They have no state, because the site under test has its own copy. */
const browserTestsMayImport: Record<string, string> = {
  "app/platform/units.ts": "arithmetic",
};

test("every unit test has the path of the module that it tests", () => {
  const isMirrored = (file: string) => {
    const stem = file.replace(/^tests\/unit\//, "").replace(/(\.isolated)?\.test\.tsx?$/, "");
    const modules = [".ts", ".tsx", ".server.ts", ".server.tsx"].flatMap((ending) => [
      `app/${stem}${ending}`,
      `${stem}${ending}`,
    ]);
    return modules.some((module) => sources.has(module));
  };
  const units = testFiles.filter((file) => /^tests\/unit\/.*\.test\.tsx?$/.test(file));
  expect(units.filter((file) => !isMirrored(file)).sort()).toEqual(Object.keys(testsOfMore).sort());
});

test("a unit or integration test that uses the environment or replaces a module is named .isolated.test.ts or .slow.test.ts, because the others share one module graph", () => {
  const sharing = testFiles.filter(
    (file) =>
      /^tests\/(unit|integration)\/(?!architecture).*\.test\.tsx?$/.test(file) &&
      !/\.(isolated|slow)\./.test(file),
  );
  const changesModules = /process\.env\b|vi\.(mock|doMock|resetModules|stubEnv)\b/;
  expect(sharing.filter((file) => changesModules.test(sources.get(file)?.text ?? ""))).toEqual([]);
});

test("unit tests import neither the database nor the whole application", () => {
  const units = testFiles.filter((file) => file.startsWith("tests/unit/"));
  expect(
    broken(
      ({ to }) => to === "db/client.server.ts" || to === "tests/support/site/in-process.ts",
      arrowsOf(units),
    ),
  ).toEqual([]);
});

test("browser tests import nothing of the site except the modules in the table", () => {
  const outside = testFiles.filter((file) => /^tests\/(e2e|journeys|players|system)\//.test(file));
  const inside = arrowsOf(outside).filter(({ to }) => /^(app|db)\//.test(to));
  expectOnly(Object.keys(browserTestsMayImport), new Set(inside.map(({ to }) => to)));
});

test("ops imports packages only by import(), because it must start before they are installed", () => {
  const isLate = (file: string, specifier: string) =>
    sources.get(file)?.text.includes(`import("${specifier}")`) === true;
  const early = opsFiles
    .filter((file) => !file.startsWith("ops/film/"))
    .flatMap((file) => specifiersOf(file).map((specifier) => ({ file, specifier })))
    .filter(({ file, specifier }) => !/^(node:|\.)/.test(specifier) && !isLate(file, specifier));
  expect(early).toEqual([]);
});

test("package.json says of each package with an install script whether it may run, because npm 12 runs no other", () => {
  const read = (file: string) => JSON.parse(readFileSync(file, "utf8"));
  const packages: Record<string, { hasInstallScript?: boolean }> = read("package-lock.json").packages;
  const withScript = Object.keys(packages).filter((path) => packages[path]?.hasInstallScript);
  const named = Object.keys(read("package.json").allowScripts).map((name) => `node_modules/${name}`);
  expect(named.sort()).toEqual(withScript.sort());
});

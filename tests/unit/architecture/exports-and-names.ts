import ts from "typescript";
import { expect, test } from "vitest";
import { expectOnly, frameworkExports, pages } from "#tests/support/checks/rules.ts";
import {
  codeFiles,
  declaredIn,
  eachNode,
  exportsOf,
  importedNames,
  opsFiles,
  sources,
  testFiles,
} from "#tests/support/checks/source-files.ts";

/** Exports that are loaded by a path in a string, which the import parser does not see. */
const loadedByName: Record<string, string> = {
  "app/start/development.ts#runDevelopment": "ops/dev.mjs loads it through Vite",
  "app/platform/process/run-tool.server.ts#runTool":
    "vite.config.ts writes the entry that calls it for each tool",
  "tests/support/database/embedded-database-process.vite.ts#default":
    "tests/support/scaled/embedded-database.ts names it as Vite's configuration",
  "tests/support/setup/build-and-database.ts#default": "vitest.config.ts names it as a globalSetup",
  "tests/support/setup/start-shared-site.ts#default": "vitest.config.ts names it as a globalSetup",
};

const vagueNames = /(^|\/)(utils?|libs?|helpers?|common|misc|shared|types?|constants?|index)(\.|\/|$)/;

test("every export has an importer", () => {
  const taken = importedNames();
  const isTaken = (file: string, name: string) =>
    taken.get(file)?.has(name) === true || taken.get(file)?.has("*") === true;
  const isForFramework = (file: string, name: string) =>
    frameworkExports.has(name) && (pages.has(file) || /^app\/(root|routes|entry\.server)\.tsx?$/.test(file));
  const supportFiles = testFiles.filter(
    (file) => file.startsWith("tests/support/") && !file.endsWith(".d.ts"),
  );
  const unused = [...codeFiles, ...opsFiles, ...supportFiles].flatMap((file) =>
    exportsOf(file)
      .filter((name) => !isTaken(file, name) && !isForFramework(file, name))
      .map((name) => `${file}#${name}`),
  );
  expectOnly(Object.keys(loadedByName), unused);
});

test("an exported name is declared in one file, so that it has one meaning", () => {
  const files = new Map<string, Set<string>>();
  // Each file of app/cli exports its tool.
  for (const file of codeFiles)
    for (const name of declaredIn(file))
      if (!frameworkExports.has(name) && name !== "tool")
        files.set(name, (files.get(name) ?? new Set()).add(file));
  const twice = [...files].filter(([, declaring]) => declaring.size > 1);
  expect(twice.map(([name, declaring]) => `${name}: ${[...declaring].join(", ")}`)).toEqual([]);
});

test("no file or folder has a vague name", () => {
  expect([...sources.keys()].filter((file) => vagueNames.test(file))).toEqual([]);
});

test("an exported find… may find nothing: its type says null, a list or a refusal, but not undefined", () => {
  const wrong: string[] = [];
  for (const file of codeFiles) {
    const exported = new Set(exportsOf(file));
    eachNode(file, (node) => {
      const isDeclared = ts.isFunctionDeclaration(node) || ts.isVariableDeclaration(node);
      const name = isDeclared && node.name && ts.isIdentifier(node.name) ? node.name.text : "";
      if (!/^find[A-Z]/.test(name) || !exported.has(name)) return;
      const made = ts.isVariableDeclaration(node) ? node.initializer : node;
      const type = made && ts.isFunctionLike(made) ? made.type?.getText() : undefined;
      if (type === undefined) return;
      const mayBeEmpty = /\bnull\b|\[\]|(Map|Set|Outcome|Generator|Iterable)</.test(type);
      if (!mayBeEmpty || /\bundefined\b/.test(type)) wrong.push(`${file}#${name}`);
    });
  }
  expect(wrong).toEqual([]);
});

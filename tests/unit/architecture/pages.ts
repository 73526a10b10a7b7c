import { readdirSync } from "node:fs";
import { dirname } from "node:path";
import ts from "typescript";
import { expect, test } from "vitest";
import { broken, expectOnly, pages, pathFiles, routeTable } from "#tests/support/checks/rules.ts";
import { codeFiles, eachNode, imports, reachableFrom, sources } from "#tests/support/checks/source-files.ts";

/** Loaders that may write. A GET must change nothing, because browsers repeat and prefetch it. */
const loadersThatWrite: Record<string, string> = {
  "app/routes/browse/search.tsx#recordSearch":
    "A search is a GET and must work without scripts, so its loader records it unless the request is a prefetch.",
};

/** Prefixes that a rule compares paths with. They are no links. */
const pathPrefixes = new Set([
  "app/http/pipeline/application.server.ts: /api/",
  // This is a folder of the machine, not a path of the site.
  "app/domain/films/folder/choosable-folders.server.ts: /media",
]);

const folders = new Set([...pages].map((file) => dirname(file)));

test("pages are imported only by routes.ts, and the files beside them only from their own folder", () => {
  expect(pages.size).toBeGreaterThan(50);
  expect(broken(({ from, to }) => pages.has(to) && from !== "app/routes.ts")).toEqual([]);
  const isPrivate = (file: string) => file.startsWith("app/routes/") && !pages.has(file);
  expect(broken(({ from, to }) => isPrivate(to) && !from.startsWith(`${pageFolder(to)}/`))).toEqual([]);
});

test("every module of ui is used by two pages or by root.tsx", () => {
  const users = new Map<string, number>();
  for (const page of pages)
    for (const file of reachableFrom(page)) users.set(file, (users.get(file) ?? 0) + 1);
  const shell = reachableFrom("app/root.tsx");
  const single = codeFiles.filter(
    (file) => file.startsWith("app/ui/") && (users.get(file) ?? 0) < 2 && !shell.has(file),
  );
  expect(single).toEqual([]);
});

test("every page or endpoint that writes has the sameOrigin middleware", () => {
  const changes =
    /\b(?:function action|const action = async)\b|operation\((?:method|"(?:POST|PUT|PATCH|DELETE)")/;
  const checksOrigin = /\bmiddleware\b[^=]*= \[[^;]*\bsameOrigin(?:Page)?\b/;
  const textOf = (file: string) => sources.get(file)?.text ?? "";
  // Endpoints with several addresses import their operations from a file beside them.
  const writes = (file: string) =>
    [file, ...(imports.get(file) ?? []).filter((one) => one.startsWith("app/routes/api/"))].some((one) =>
      changes.test(textOf(one)),
    );
  const writing = [...pages].filter((file) => /\baction\b/.test(textOf(file)) && writes(file));
  expect(writing).toContain("app/routes/api/user/watch-list-add.ts");
  expect(writing.filter((file) => !checksOrigin.test(textOf(file)))).toEqual([]);
});

test("loaders write nothing, except those in the table", () => {
  const writes =
    /^(add|change|claim|clear|create|delete|edit|forget|insert|record|remove|rename|replace|restore|save|set|store|undo|update)[A-Z]/;
  const written: string[] = [];
  for (const file of pages) {
    // An endpoint declares its operations and their methods, so its loader is no page loader.
    if (!file.endsWith(".tsx")) continue;
    const fromServer = importedFromServer(file);
    for (const called of calledBy(file, "loader"))
      if (writes.test(called) && fromServer.has(called)) written.push(`${file}#${called}`);
  }
  expectOnly(Object.keys(loadersThatWrite), written);
});

test("no file except paths.ts and admin-paths.ts contains a path of this site", () => {
  const segments = new Set(
    [...routeTable.matchAll(/(?:route\(|\[|, )"([a-z]+)[^"]*"(?=,|\])/g)].map(([, segment]) => segment ?? ""),
  );
  const staticFiles = new Set(readdirSync("public").map((file) => `/${file}`));
  const isSitePath = (text: string, node: ts.Node) =>
    (text === "/" && isLinkTarget(node)) ||
    (segments.has(/^\/([a-z-]+)(?=[/?#.]|$)/i.exec(text)?.[1] ?? "") && !staticFiles.has(text));
  const pathsFound: string[] = [];
  for (const file of codeFiles.filter(
    (one) => one.startsWith("app/") && one !== "app/routes.ts" && !pathFiles.includes(one),
  ))
    eachNode(file, (node) => {
      const text = ts.isStringLiteralLike(node)
        ? node.text
        : ts.isTemplateExpression(node)
          ? node.head.text
          : "";
      if (isSitePath(text, node)) pathsFound.push(`${file}: ${text}`);
    });
  expectOnly(pathPrefixes, new Set(pathsFound));
});

/** True for the target of a link or form in JSX, and for the target of a redirect. */
function isLinkTarget({ parent }: ts.Node) {
  if (ts.isJsxAttribute(parent)) return /^(to|href|action)$/.test(parent.name.getText());
  return ts.isCallExpression(parent) && parent.expression.getText() === "redirect";
}

/** The names that a function of a file calls, directly or through other functions of the same file. */
function calledBy(file: string, start: string): Set<string> {
  const functions = new Map<string, ts.Node>();
  eachNode(file, (node) => {
    if ((ts.isFunctionDeclaration(node) || ts.isVariableDeclaration(node)) && node.name)
      functions.set(node.name.getText(), node);
  });
  const called = new Set<string>();
  const follow = (node: ts.Node | undefined): void => {
    if (node === undefined) return;
    if (ts.isIdentifier(node) && !called.has(node.text)) {
      called.add(node.text);
      follow(functions.get(node.text));
    }
    ts.forEachChild(node, follow);
  };
  follow(functions.get(start));
  return called;
}

/** The nearest folder above a file that holds a page. */
function pageFolder(file: string): string {
  const folder = dirname(file);
  return folders.has(folder) || folder === "app/routes" ? folder : pageFolder(folder);
}

/** Names that a file imports from server modules. A loader may call other functions, because only server modules write. */
function importedFromServer(file: string): Set<string> {
  const names = new Set<string>();
  eachNode(file, (node) => {
    if (!ts.isImportDeclaration(node) || !node.moduleSpecifier.getText().includes(".server")) return;
    const bindings = node.importClause?.namedBindings;
    if (bindings && ts.isNamedImports(bindings))
      for (const one of bindings.elements) names.add(one.name.text);
  });
  return names;
}

import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import ts from "typescript";

/** The parsed sources of this repository and what each file imports, for the rules in tests/unit/architecture. */

const root = resolve(import.meta.dirname, "../../..");

export type Arrow = { from: string; to: string; text: string };

const listFiles = (top: string, ending: RegExp) =>
  readdirSync(join(root, top), { recursive: true, encoding: "utf8" })
    .map((file) => join(top, file))
    .filter((file) => ending.test(file) && !file.includes("migrations"));

export const codeFiles = ["app", "db"].flatMap((top) => listFiles(top, /\.tsx?$/));
export const testFiles = listFiles("tests", /\.tsx?$/);
export const opsFiles = listFiles("ops", /\.m?js$/);

/** Modules that run while the site is built. They count as importers; their own shape is not checked. */
const buildFiles = [
  ...readdirSync(root).filter((file) => file.endsWith(".config.ts")),
  ...listFiles("ops", /\.ts$/),
  ...listFiles("app", /\.js$/),
];

const parse = (file: string) =>
  ts.createSourceFile(file, readFileSync(join(root, file), "utf8"), ts.ScriptTarget.Latest, true);

export const sources = new Map(
  [...codeFiles, ...testFiles, ...opsFiles, ...buildFiles].map((file) => [file, parse(file)]),
);

/** Every specifier that a file imports, statically, dynamically or as a type. */
export function specifiersOf(file: string): string[] {
  const found: string[] = [];
  const visit = (node: ts.Node): void => {
    const from =
      ts.isImportDeclaration(node) || ts.isExportDeclaration(node)
        ? node.moduleSpecifier
        : ts.isCallExpression(node) && node.expression.kind === ts.SyntaxKind.ImportKeyword
          ? node.arguments[0]
          : ts.isImportTypeNode(node) && ts.isLiteralTypeNode(node.argument)
            ? node.argument.literal
            : undefined;
    if (from && ts.isStringLiteral(from)) found.push(from.text);
    ts.forEachChild(node, visit);
  };
  const source = sources.get(file);
  if (source) visit(source);
  return found;
}

const known = new Set(sources.keys());

/** The file of this repository that a specifier names, or null for a package. */
function resolveSpecifier(file: string, specifier: string): string | null {
  const path = specifier.startsWith(".")
    ? relative(root, resolve(root, dirname(file), specifier))
    : specifier.replace(/^#(app|db|tests)\//, "$1/");
  return [path, `${path}.ts`, `${path}.tsx`].find((candidate) => known.has(candidate)) ?? null;
}

const importsOf = (file: string) =>
  specifiersOf(file)
    .map((specifier) => resolveSpecifier(file, specifier))
    .filter((target) => target !== null);

export const imports = new Map([...sources.keys()].map((file) => [file, importsOf(file)]));

export const arrowsOf = (files: readonly string[]): Arrow[] =>
  files.flatMap((from) => (imports.get(from) ?? []).map((to) => ({ from, to, text: `${from} -> ${to}` })));

/** Every file that a file imports, directly or through other files. */
export function reachableFrom(file: string): Set<string> {
  const reached = new Set<string>();
  const open = [file];
  for (let next = open.pop(); next !== undefined; next = open.pop())
    for (const target of imports.get(next) ?? [])
      if (!reached.has(target)) {
        reached.add(target);
        open.push(target);
      }
  return reached;
}

/** The cycles of a graph, each as `a -> b -> a`. */
export function findCycles(next: ReadonlyMap<string, readonly string[]>): string[] {
  const state = new Map<string, "open" | "done">();
  const cycles: string[] = [];
  const walk = (node: string, path: string[]) => {
    if (state.get(node) === "done") return;
    if (state.get(node) === "open")
      return void cycles.push([...path.slice(path.indexOf(node)), node].join(" -> "));
    state.set(node, "open");
    for (const target of next.get(node) ?? []) walk(target, [...path, node]);
    state.set(node, "done");
  };
  for (const node of next.keys()) walk(node, []);
  return cycles;
}

export function eachNode(file: string, visitNode: (node: ts.Node) => void): void {
  const visit = (node: ts.Node): void => {
    visitNode(node);
    ts.forEachChild(node, visit);
  };
  const source = sources.get(file);
  if (source) visit(source);
}

/** The names that a file exports. */
export const exportsOf = (file: string): string[] =>
  [...(sources.get(file)?.statements ?? [])].flatMap(exportedBy);

/** The exported names that a file declares itself. */
export const declaredIn = (file: string): string[] =>
  [...(sources.get(file)?.statements ?? [])]
    .filter((statement) => !ts.isExportDeclaration(statement))
    .flatMap(exportedBy);

function exportedBy(statement: ts.Statement): string[] {
  if (ts.isExportAssignment(statement)) return ["default"];
  if (ts.isExportDeclaration(statement)) {
    const clause = statement.exportClause;
    return clause && ts.isNamedExports(clause) ? clause.elements.map(({ name }) => name.text) : [];
  }
  const modifiers = ts.canHaveModifiers(statement) ? (ts.getModifiers(statement) ?? []) : [];
  const has = (kind: ts.SyntaxKind) => modifiers.some((modifier) => modifier.kind === kind);
  if (!has(ts.SyntaxKind.ExportKeyword)) return [];
  if (has(ts.SyntaxKind.DefaultKeyword)) return ["default"];
  if (ts.isVariableStatement(statement)) return statement.declarationList.declarations.flatMap(declaredBy);
  return "name" in statement ? [(statement.name as ts.Identifier).text] : [];
}

const declaredBy = ({ name }: ts.VariableDeclaration | ts.BindingElement): string[] =>
  ts.isIdentifier(name)
    ? [name.text]
    : name.elements.flatMap((element) => (ts.isBindingElement(element) ? declaredBy(element) : []));

/** For each file, the names that other files import or re-export. `*` means every name. */
export function importedNames(): Map<string, Set<string>> {
  const imported = new Map<string, Set<string>>();
  for (const file of sources.keys())
    eachNode(file, (node) => {
      const { specifier, names } = namesImportedBy(node);
      const target =
        specifier && ts.isStringLiteral(specifier) ? resolveSpecifier(file, specifier.text) : null;
      if (target) imported.set(target, new Set([...(imported.get(target) ?? []), ...names]));
    });
  return imported;
}

function namesImportedBy(node: ts.Node): { specifier?: ts.Node | undefined; names: string[] } {
  if (ts.isImportDeclaration(node)) {
    const { name, namedBindings } = node.importClause ?? {};
    const names = [...(name ? ["default"] : []), ...(namedBindings ? namesIn(namedBindings) : [])];
    return { specifier: node.moduleSpecifier, names };
  }
  if (ts.isExportDeclaration(node))
    return { specifier: node.moduleSpecifier, names: namesIn(node.exportClause) };
  if (ts.isImportTypeNode(node) && ts.isLiteralTypeNode(node.argument))
    return { specifier: node.argument.literal, names: [node.qualifier?.getText().split(".")[0] ?? "*"] };
  if (ts.isCallExpression(node) && node.expression.kind === ts.SyntaxKind.ImportKeyword)
    return { specifier: node.arguments[0], names: namesUnpacked(node.parent) };
  return { names: [] };
}

const namesIn = (clause: ts.NamedImportBindings | ts.NamedExportBindings | undefined): string[] =>
  clause && (ts.isNamedImports(clause) || ts.isNamedExports(clause))
    ? clause.elements.map(({ name, propertyName }) => (propertyName ?? name).text)
    : ["*"];

/** `const { a } = await import(…)` imports `a`. Any other use of the promise counts as an import of every name. */
function namesUnpacked(parent: ts.Node): string[] {
  if (!ts.isAwaitExpression(parent) || !ts.isVariableDeclaration(parent.parent)) return ["*"];
  const { name } = parent.parent;
  if (!ts.isObjectBindingPattern(name)) return ["*"];
  return name.elements.map((element) => (element.propertyName ?? element.name).getText());
}

import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import ts from "typescript";
import { expect, test } from "vitest";

/** The map of the house: which room may reach which, and how large things may grow. */

const mayReach: Record<string, string[]> = {
  "app/routes": ["app/http", "app/ui", "app/domain", "app/platform"],
  "app/http": ["app/http", "app/domain", "app/platform"],
  "app/ui": ["app/ui", "app/domain"],
  "app/domain": ["app/domain", "app/platform", "db"],
  "app/platform": ["app/platform"],
  "app/cli": ["app/cli", "app/domain", "app/platform", "db"],
  db: ["db", "app/platform"],
  // What composes the process and the document shell: server, entry, root, routes.ts.
  app: ["app", "app/http", "app/ui", "app/domain", "app/platform", "db"],
};

/** Arrows against the rule, each with its reason. */
const exceptions: Record<string, string> = {};

const caps = { file: 300, function: 60, route: 30, page: 200 };
const dataTables = /^db\/schema\//;
/** Where a cut would read worse, with the reason. */
const longerFunctions: Record<string, string> = {};

const vagueNames = /(^|\/)(utils?|libs?|helpers?|common|misc|shared|types?|constants?|index)(\.|\/|$)/;

const root = resolve(import.meta.dirname, "../..");
const files = ["app", "db"].flatMap((top) =>
  readdirSync(join(root, top), { recursive: true, encoding: "utf8" })
    .map((file) => join(top, file))
    .filter((file) => /\.tsx?$/.test(file) && !file.includes("migrations")),
);
const sources = new Map(
  files.map((file) => {
    const text = readFileSync(join(root, file), "utf8");
    return [file, ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true)] as const;
  }),
);

const room = (file: string) =>
  Object.keys(mayReach)
    .sort((a, b) => b.length - a.length)
    .find((name) => file.startsWith(`${name}/`)) ?? "outside";
const noun = (file: string) => /^app\/domain\/([^/]+)\//.exec(file)?.[1];
const isFrontDoor = (file: string) => new RegExp(`/${noun(file)}(\\.server)?\\.tsx?$`).test(file);
const isServer = (file: string) =>
  file.includes(".server.") || file.startsWith("app/cli/") || file.startsWith("db/");

function importsOf(file: string): string[] {
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
  return found
    .map((name) =>
      name.startsWith(".")
        ? relative(root, resolve(root, dirname(file), name))
        : name.replace(/^#(app|db)\//, "$1/"),
    )
    .map((name) => files.find((other) => other === name || other.replace(/\.tsx?$/, "") === name) ?? "")
    .filter(Boolean);
}

const imports = new Map(files.map((file) => [file, importsOf(file)]));
const arrows = files.flatMap((from) =>
  (imports.get(from) ?? []).map((to) => ({ from, to, text: `${from} -> ${to}` })),
);
const broken = (isBroken: (arrow: { from: string; to: string }) => boolean) =>
  arrows.filter((arrow) => isBroken(arrow) && !(arrow.text in exceptions)).map(({ text }) => text);

test("arrows point one way", () => {
  expect(broken(({ from, to }) => !mayReach[room(from)]?.includes(room(to)))).toEqual([]);
});

test("nobody imports a route", () => {
  expect(broken(({ to }) => to.startsWith("app/routes/"))).toEqual([]);
});

test("a noun of the domain is entered by its front door", () => {
  expect(
    broken(({ from, to }) => noun(to) !== undefined && noun(from) !== noun(to) && !isFrontDoor(to)),
  ).toEqual([]);
});

test("only server files reach the database, and the ui reaches browser-safe files alone", () => {
  // The enumerations import nothing, so the domain's browser-safe files may hand them on.
  const isDatabase = (file: string) => file.startsWith("db/") && file !== "db/schema/enumerations.ts";
  expect(broken(({ from, to }) => isDatabase(to) && !isServer(from) && room(from) !== "app")).toEqual([]);
  expect(broken(({ from, to }) => from.startsWith("app/ui/") && isServer(to))).toEqual([]);
});

test("a route that changes something asks where the request came from", () => {
  const changes = /\b(?:function action|const action = async)\b|operation\("(?:POST|PUT|PATCH|DELETE)"/;
  const asks = /\bmiddleware\b[^=]*= \[[^;]*\bsameOrigin(?:Page)?\b/;
  const texts = [...sources].filter(([file]) => file.startsWith("app/routes/"));
  const careless = texts.filter(([, { text }]) => changes.test(text) && !asks.test(text));
  expect(careless.map(([file]) => file)).toEqual([]);
});

test("no cycles, type imports included", () => {
  const state = new Map<string, "open" | "done">();
  const cycles: string[] = [];
  const walk = (file: string, path: string[]) => {
    if (state.get(file) === "done") return;
    if (state.get(file) === "open")
      return void cycles.push([...path.slice(path.indexOf(file)), file].join(" -> "));
    state.set(file, "open");
    for (const next of imports.get(file) ?? []) walk(next, [...path, file]);
    state.set(file, "done");
  };
  for (const file of files) walk(file, []);
  expect(cycles).toEqual([]);
});

test("names say what a thing is", () => {
  expect(files.filter((file) => vagueNames.test(file))).toEqual([]);
});

test("files and functions stay within their caps", () => {
  const long: string[] = [];
  for (const [file, source] of sources) {
    const lineOf = (position: number) => source.getLineAndCharacterOfPosition(position).line + 1;
    if (lineOf(source.end) > caps.file && !dataTables.test(file))
      long.push(`${file}: ${lineOf(source.end)} lines`);
    const visit = (node: ts.Node): void => {
      if (ts.isFunctionLike(node) && "body" in node && node.body) {
        const inner = ts.isBlock(node.body as ts.Node)
          ? (node.body as ts.Block).statements.filter(ts.isFunctionDeclaration)
          : [];
        // Functions declared inside are measured on their own.
        const lines = [node, ...inner]
          .map((one) => lineOf(one.end) - lineOf(one.getStart()) + 1)
          .reduce((own, nested) => own - nested);
        const name = `${file}#${nameOf(node)}`;
        if (lines > capOf(file, node) && !(name in longerFunctions)) long.push(`${name}: ${lines} lines`);
      }
      ts.forEachChild(node, visit);
    };
    visit(source);
  }
  expect(long).toEqual([]);
});

function nameOf(node: ts.SignatureDeclaration): string {
  if (node.name) return node.name.getText();
  return ts.isVariableDeclaration(node.parent) || ts.isPropertyAssignment(node.parent)
    ? node.parent.name.getText()
    : "anonymous";
}

function capOf(file: string, node: ts.SignatureDeclaration) {
  if (!file.startsWith("app/routes/")) return caps.function;
  if (["loader", "action", "handle"].includes(nameOf(node))) return caps.route;
  const isDefault =
    ts.canHaveModifiers(node) &&
    ts.getModifiers(node)?.some((one) => one.kind === ts.SyntaxKind.DefaultKeyword);
  return isDefault ? caps.page : caps.function;
}

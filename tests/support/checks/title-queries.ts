import ts from "typescript";
import { codeFiles, eachNode, sources } from "#tests/support/checks/source-files.ts";

/** Finds the queries of the table `titles`, for the rules in tests/unit/architecture. */

type TitleQuery = { at: string; asksViewer: boolean };

/** Methods of a query builder that take a table. */
const takesTable =
  /^(from|innerJoin|leftJoin|rightJoin|fullJoin|crossJoin|update|insert|delete|alias|aliasedTable|\$count)$/;
const namesTable = /\b(?:from|join|update|into|using)\s+(?:only\s+)?"?titles"?(?![\w.])/i;

/** Functions whose result is a condition that holds only for titles that the viewer may see. */
const asksVisibility = /\b(?:visibleTo|filterConditions)\(/;

export const titleQueries = (): TitleQuery[] => codeFiles.flatMap(titleQueriesOf);

function titleQueriesOf(file: string): TitleQuery[] {
  const table = localNameOfTable(file);
  const found = new Map<string, boolean>();
  eachNode(file, (node) => {
    if (!isQuery(node, table)) return;
    const declaration = topLevelOf(node);
    const at = `${file}#${nameOf(declaration)}`;
    found.set(at, (found.get(at) ?? true) && asksVisibility.test(textWithConstants(node, declaration)));
  });
  return [...found].map(([at, asksViewer]) => ({ at, asksViewer }));
}

/** The name under which the file imports the table `titles`, or undefined if the file does not import it. */
function localNameOfTable(file: string): string | undefined {
  let name: string | undefined;
  eachNode(file, (node) => {
    if (!ts.isImportSpecifier(node) || (node.propertyName ?? node.name).text !== "titles") return;
    const from = node.parent.parent.parent.moduleSpecifier.getText();
    if (from.includes("db/schema/")) name = node.name.text;
  });
  return name;
}

function isQuery(node: ts.Node, table: string | undefined): boolean {
  if (
    ts.isNoSubstitutionTemplateLiteral(node) ||
    ts.isTemplateHead(node) ||
    ts.isTemplateMiddleOrTemplateTail(node)
  )
    return namesTable.test(node.text);
  if (table === undefined || !ts.isIdentifier(node) || node.text !== table) return false;
  if (ts.isTemplateSpan(node.parent)) return true;
  return (
    ts.isCallExpression(node.parent) &&
    node.parent.arguments[0] === node &&
    takesTable.test(node.parent.expression.getText().split(".").at(-1) ?? "")
  );
}

function topLevelOf(node: ts.Node): ts.Node {
  return ts.isSourceFile(node.parent) ? node : topLevelOf(node.parent);
}

function nameOf(statement: ts.Node): string {
  if (ts.isVariableStatement(statement))
    return statement.declarationList.declarations.map(({ name }) => name.getText()).join();
  return ts.isFunctionDeclaration(statement) || ts.isClassDeclaration(statement)
    ? (statement.name?.text ?? "default")
    : statement.getText().slice(0, 40);
}

/** The text of the expression that the query is part of, and of the constants that it uses. */
function textWithConstants(node: ts.Node, declaration: ts.Node): string {
  const constants = new Map<string, ts.Node>();
  const declare = (one: ts.Node): void => {
    if (ts.isVariableDeclaration(one) && one.initializer) constants.set(one.name.getText(), one.initializer);
    ts.forEachChild(one, declare);
  };
  declare(declaration);
  let query = node;
  while (isPartOfQuery(query)) query = query.parent;
  const texts = [query.getText()];
  const follow = (one: ts.Node): void => {
    const constant = ts.isIdentifier(one) ? constants.get(one.text) : undefined;
    if (constant && ts.isIdentifier(one) && constants.delete(one.text)) {
      texts.push(constant.getText());
      follow(constant);
    }
    ts.forEachChild(one, follow);
  };
  follow(query);
  return texts.join("\n");
}

/** False for a node that contains a whole query: a statement, a variable, the body of a function, an argument of a callback. */
function isPartOfQuery({ parent }: ts.Node): boolean {
  return (
    ts.isCallExpression(parent) ||
    ts.isPropertyAccessExpression(parent) ||
    ts.isTemplateSpan(parent) ||
    ts.isTemplateExpression(parent) ||
    ts.isTaggedTemplateExpression(parent) ||
    ts.isConditionalExpression(parent)
  );
}

/** Identifiers that refer to mature titles, by file. */
export function namesOfMature(): string[] {
  const names = /(?<!pre)mature/i;
  const known = new Set(["matureGenres", "matureRating"]);
  const found = new Set<string>();
  for (const file of codeFiles)
    eachNode(file, (node) => {
      if (ts.isIdentifier(node) && names.test(node.text) && !known.has(node.text)) found.add(file);
      const isText =
        ts.isStringLiteralLike(node) || ts.isTemplateHead(node) || ts.isTemplateMiddleOrTemplateTail(node);
      if (isText && /\bis_mature\b/.test(node.text)) found.add(file);
    });
  return [...found];
}

export const callersOf = (name: string): string[] =>
  codeFiles.filter((file) => new RegExp(`\\b${name}\\(`).test(sources.get(file)?.text ?? ""));

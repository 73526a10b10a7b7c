import ts from "typescript";
import { expect, test } from "vitest";
import { arrows, expectOnly } from "#tests/support/checks/rules.ts";
import { codeFiles, eachNode, sources } from "#tests/support/checks/source-files.ts";

/**
 * The files of the domain that http/ may import. Every other file of the domain belongs to the product, which http/
 * does not know.
 */
const domainOfHttp: Record<string, string> = {
  "app/domain/errors.ts": "the reasons of a refusal, each with its status",
  "app/domain/missing-user.server.ts": "the error of a request whose account was just deleted",
};

/** Files that write the header Cache-Control themselves. */
const writersOfCacheControl: Record<string, string> = {
  "app/http/cache-policy.server.ts": "the policies",
  "app/domain/images/storage/s3.server.ts": "the header with which the bucket serves a picture",
};

test("http contains no word of this product; routes declare what depends on it", () => {
  const product =
    /anime|episode|poster|genre|(?<!pre)matur|parental|trailer|household|profile|\bchild\b|\bfilms?\b|watch.?list|mal_?id|studio|synopsis/i;
  const naming = codeFiles.filter(
    (file) => file.startsWith("app/http/") && product.test(sources.get(file)?.text ?? ""),
  );
  expect(naming).toEqual([]);
});

test("http imports only the files of the domain that the table names", () => {
  const reached = arrows.filter(
    ({ from, to }) => from.startsWith("app/http/") && to.startsWith("app/domain/"),
  );
  expectOnly(Object.keys(domainOfHttp), new Set(reached.map(({ to }) => to)));
});

test("http writes Cache-Control in one file; answers name a policy", () => {
  const writing = new Set<string>();
  for (const file of codeFiles)
    eachNode(file, (node) => {
      if (ts.isStringLiteralLike(node) && /^cache-control$/i.test(node.text) && writesHeader(node))
        writing.add(file);
    });
  expectOnly(Object.keys(writersOfCacheControl), writing);
});

/** True for the name in `{ "Name": value }`, `{ ["Name"]: value }`, `headers["Name"] = value`, `set("Name", value)` and pairs. */
function writesHeader(name: ts.Node): boolean {
  const { parent } = name;
  if (ts.isComputedPropertyName(parent)) return writesHeader(parent);
  if (ts.isPropertyAssignment(parent)) return parent.name === name;
  if (ts.isArrayLiteralExpression(parent)) return parent.elements.length === 2 && parent.elements[0] === name;
  if (ts.isElementAccessExpression(parent))
    return (
      ts.isBinaryExpression(parent.parent) &&
      parent.parent.left === parent &&
      parent.parent.operatorToken.kind === ts.SyntaxKind.EqualsToken
    );
  // A policy is the only value that may be set: `set("Cache-Control", policy.control)`.
  return (
    ts.isCallExpression(parent) &&
    /\b(set|append|setHeader)$/.test(parent.expression.getText()) &&
    parent.arguments[0] === name &&
    !/\.control$/.test(parent.arguments[1]?.getText() ?? "")
  );
}

test("only the context says that a client has left, because the signal of a route's request never aborts", () => {
  const server = /^app\/(http\/|access\/|wire\/|routes\/|entry\.server|root)/;
  const reads = /\brequest\.signal\b|\bsignal\b[^;]*\} = request\b/;
  expect(codeFiles.filter((file) => server.test(file) && reads.test(sources.get(file)?.text ?? ""))).toEqual(
    [],
  );
});

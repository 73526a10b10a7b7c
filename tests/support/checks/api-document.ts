import { expect } from "vitest";
import { complaintsAgainst, type Schema } from "#tests/support/checks/schema-checker.ts";

/** Compares an answer with the declaration of its operation in /api/openapi.json. */

type Answer = {
  headers?: Record<string, { required?: boolean }>;
  content?: Record<string, { schema: Schema }>;
};
type Described = {
  security: Record<string, unknown>[];
  parameters: { name: string; required: boolean; deprecated?: boolean; schema: Schema }[];
  requestBody?: { content: Record<string, { schema: Schema }> };
  responses: Record<string, Answer>;
  "x-alias-of"?: string;
};
export type ApiDocument = {
  paths: Record<string, Record<string, Described>>;
  components: Record<string, Record<string, { name?: string }>>;
};

/** Returns the document with each reference replaced by its component. */
export function withoutReferences(document: ApiDocument): ApiDocument {
  const resolve = (value: unknown): unknown => {
    if (typeof value !== "object" || value === null) return value;
    if (Array.isArray(value)) return value.map(resolve);
    const { $ref, ...own } = value as Record<string, unknown>;
    const [kind = "", name = ""] = typeof $ref === "string" ? $ref.split("/").slice(-2) : [];
    const whole = $ref === undefined ? value : { ...document.components[kind]?.[name], ...own };
    return Object.fromEntries(Object.entries(whole).map(([key, one]) => [key, resolve(one)]));
  };
  return resolve(document) as ApiDocument;
}

/** One method of one path. For an alias, `call` is the operation of the original path. */
export type ListedOperation = { path: string; method: string; described: Described; call: string };

export const operationsOf = (document: ApiDocument): ListedOperation[] =>
  Object.entries(withoutReferences(document).paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([name, described]) => {
      const method = name.toUpperCase();
      return { path, method, described, call: `${method} ${described["x-alias-of"] ?? path}` };
    }),
  );

export const isGuarded = ({ described }: ListedOperation) =>
  described.security.some((one) => "session" in one) &&
  described.security.every((one) => Object.keys(one).length > 0);

export async function expectDeclared(
  { described }: ListedOperation,
  answer: Response | Promise<Response>,
  status: number,
) {
  const response = await answer;
  const bytes = Buffer.from(await response.arrayBuffer());
  expect(response.status, bytes.subarray(0, 500).toString()).toBe(status);
  expect(complaintsAbout(described, response, bytes)).toEqual([]);
}

/**
 * The headers whose declaration is checked. Headers of security, caches and transport are the same everywhere and not
 * declared.
 */
const tellingHeaders =
  /^(?:accept-ranges|cache-control|content-disposition|content-range|etag|last-modified|location|retry-after|set-cookie|x-ipfs-path|x-ratelimit-.*)$/;

export function complaintsAbout({ responses }: Described, response: Response, bytes: Buffer): string[] {
  const declared = responses[response.status];
  if (!declared) return [`${response.status} is not declared`];
  return [...complaintsAboutHeaders(declared, response), ...complaintsAboutBody(declared, response, bytes)];
}

function complaintsAboutHeaders({ headers = {} }: Answer, response: Response): string[] {
  const names = new Set(Object.keys(headers).map((name) => name.toLowerCase()));
  const undeclared = [...response.headers.keys()].filter(
    (name) => tellingHeaders.test(name) && !names.has(name),
  );
  const missing = Object.entries(headers).filter(
    ([name, { required }]) => required && !response.headers.has(name),
  );
  return [
    ...undeclared.map((name) => `the header ${name} is not declared`),
    ...missing.map(([name]) => `the header ${name} is missing`),
  ];
}

function complaintsAboutBody({ content = {} }: Answer, response: Response, bytes: Buffer): string[] {
  const types = Object.keys(content);
  if (types.length === 0) return bytes.length === 0 ? [] : ["a body is not declared"];
  const type = response.headers.get("Content-Type")?.split(";")[0] ?? "";
  const declared = content[type] ?? content[type.replace(/\/.*/, "/*")];
  if (!declared) return [`the type ${type} is not declared`];
  return type === "application/json" && declared.schema.format !== "binary"
    ? complaintsAgainst(declared.schema, JSON.parse(bytes.toString()))
    : [];
}

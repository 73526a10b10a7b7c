import busboy, { type BusboyConfig } from "@fastify/busboy";
import type { Issue } from "../domain/errors.ts";
import { fail } from "./error-response.server.ts";

/** Reads bodies and queries into plain values: bounded, and with no string that PostgreSQL would refuse. */

/** `admit` is asked for room before bytes are kept, where many large bodies may come at once. */
export async function readBytes(
  request: Request,
  limit: number,
  admit: (bytes: number) => boolean = () => true,
): Promise<Buffer> {
  if (Number(request.headers.get("Content-Length")) > limit) throw tooLarge(limit);
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of request.body ?? []) {
    length += chunk.byteLength;
    if (length > limit) throw tooLarge(limit);
    if (!admit(chunk.byteLength)) throw fail("overloaded");
    chunks.push(chunk);
  }
  return Buffer.concat(chunks, length);
}

const tooLarge = (limit: number) => fail("too_large", `The body is over its limit of ${limit} bytes`);

export async function readBody(
  request: Request,
  { limit, forms }: { limit: number; forms: boolean },
): Promise<unknown> {
  const type = request.headers.get("Content-Type")?.split(";")[0]?.trim().toLowerCase() ?? "";
  const isJson = type === "" || type === "application/json" || type.endsWith("+json");
  const isForm = type === "application/x-www-form-urlencoded" || type === "multipart/form-data";
  if (!isJson && !(forms && isForm))
    throw fail("unsupported", forms ? "Send application/json or a form" : "Send application/json");
  const bytes = await readBytes(request, limit);
  return isJson ? parseJson(bytes) : parseForm(bytes, request.headers.get("Content-Type") ?? type);
}

export const isFormPost = (request: Request) =>
  /^(application\/x-www-form-urlencoded|multipart\/form-data)\b/i.test(
    request.headers.get("Content-Type") ?? "",
  );

function parseJson(bytes: Uint8Array): unknown {
  if (bytes.byteLength === 0) return undefined;
  try {
    return JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
  } catch {
    throw fail("invalid", "The body is not valid JSON");
  }
}

export const unreadableForm = () => fail("invalid", "The form could not be read");

async function parseForm(bytes: Uint8Array, type: string) {
  if (/^multipart/i.test(type)) return plainObject(await fieldsOf(bytes, type));
  return plainObject([...new URLSearchParams(new TextDecoder().decode(bytes))]);
}

/** Not `Response.formData()`: it refuses names without quotes, and values in which the boundary's letters occur. */
function fieldsOf(bytes: Uint8Array, type: string): Promise<[string, string][]> {
  return new Promise((resolve, reject) => {
    const fields: [string, string][] = [];
    const parser = openForm(type, { fields: 100, parts: 100, fieldSize: bytes.byteLength });
    parser.on("field", (name, value) => fields.push([name, value]));
    parser.on("file", (_name, stream) => {
      // A form that ends too early fails here as well; unheard, that would end the process.
      stream.on("error", () => {});
      stream.resume();
    });
    parser.on("error", () => reject(unreadableForm()));
    parser.on("finish", () => resolve(fields));
    parser.end(bytes);
  });
}

/** For bodies that are read as they come, too. */
export function openForm(type: string, limits: BusboyConfig["limits"]) {
  try {
    return busboy({ headers: { "content-type": type }, limits });
  } catch {
    throw unreadableForm();
  }
}

/**
 * The first of repeated names counts, but those of `repeats` are put together, also as `name[]`; an empty value is one
 * left out.
 */
export function queryObject(query: URLSearchParams, repeats: readonly string[] = []) {
  const entries = [...query].filter(([, value]) => value !== "");
  const plain = plainObject(entries);
  for (const name of repeats) {
    const values = entries.filter(([one]) => one === name || one === `${name}[]`).map(([, value]) => value);
    if (values.length > 0) plain[name] = values.join(",");
  }
  return plain;
}

/** No name reaches a prototype. */
function plainObject(entries: [string, string][]): Record<string, string> {
  const plain: Record<string, string> = Object.create(null);
  for (const [name, value] of entries) plain[name] ??= value;
  return plain;
}

/** Nothing that is sent here goes deeper; a recursion without a bound would end in a 500. */
const deepest = 64;

/** PostgreSQL takes neither NUL nor a lone surrogate in a text; told as an issue, not as its error. */
export function unstorableText(value: unknown, path = "", depth = 0): Issue[] {
  if (typeof value === "string")
    return isStorable(value) ? [] : [{ path, message: "contains characters that are no text" }];
  if (typeof value !== "object" || value === null) return [];
  if (depth > deepest) return [{ path, message: "is nested too deep" }];
  return Object.entries(value).flatMap(([key, inner]) => {
    const at = path ? `${path}.${key}` : key;
    return isStorable(key)
      ? unstorableText(inner, at, depth + 1)
      : [{ path, message: "contains a name that is no text" }];
  });
}

const isStorable = (text: string) => text.isWellFormed() && !text.includes("\0");

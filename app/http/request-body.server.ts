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

async function parseForm(bytes: Uint8Array, type: string) {
  const form = await new Response(Buffer.from(bytes), { headers: { "Content-Type": type } })
    .formData()
    .catch(() => {
      throw fail("invalid", "The form could not be read");
    });
  return plainObject([...form].filter((entry): entry is [string, string] => typeof entry[1] === "string"));
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

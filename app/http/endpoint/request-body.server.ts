import { once } from "node:events";
import { setImmediate as nextTurn } from "node:timers/promises";
import busboy, { type BusboyConfig } from "@fastify/busboy";
import type { Issue } from "#app/domain/errors.ts";
import type { AdmitBytes } from "#app/platform/limits/byte-budget.ts";
import { kibibytes, sizeText } from "#app/platform/units.ts";
import { isShortBody } from "../server/arriving-bodies.server.ts";
import { fail } from "./error-response.server.ts";

/** Reads bodies and queries into plain values, within size limits. Finds texts that PostgreSQL would refuse. */

/**
 * The chunks of a body. A body over `limit` gets 413: at once if Content-Length announces it, otherwise at the first
 * byte over the limit.
 */
export function boundedBody(request: Request, limit: number, noun = "body"): AsyncGenerator<Uint8Array> {
  const tooLarge = () => fail("too_large", `The ${noun} is larger than ${sizeText(limit)}`);
  if (Number(request.headers.get("Content-Length")) > limit) throw tooLarge();
  return (async function* () {
    let length = 0;
    // Ending early must not cancel the stream: in a cloned request, that waits until the other copy is cancelled too.
    for await (const chunk of request.body?.values({ preventCancel: true }) ?? []) {
      length += chunk.byteLength;
      if (length > limit) throw tooLarge();
      yield chunk;
    }
  })();
}

/**
 * Reads the whole body, then runs the checks of the guards once more. `admit` is called for each chunk and says whether
 * memory is left, since many large bodies may arrive at the same time.
 */
export async function readRequestBytes(
  request: Request,
  limit: number,
  admit: AdmitBytes = () => true,
): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of boundedBody(request, limit)) {
    if (!admit(chunk.byteLength)) throw fail("overloaded");
    chunks.push(chunk);
  }
  await runChecksAfterBody(request);
  return Buffer.concat(chunks);
}

/** Otherwise the request began when its body was complete. */
export const mayArriveLate = ({ headers }: Request): boolean =>
  !isShortBody(headers.get("Content-Length"), headers.get("Expect"));

const checksAfterBody = new WeakMap<Request, (() => Promise<void>)[]>();

/**
 * Runs this check of a guard once more when the body has arrived, which can be minutes after the guard let the request
 * in. `check` throws the answer that refuses the request.
 */
export function checkAfterBody(request: Request, check: () => Promise<void>): void {
  if (request.body && mayArriveLate(request))
    checksAfterBody.set(request, [...(checksAfterBody.get(request) ?? []), check]);
}

export async function runChecksAfterBody(request: Request): Promise<void> {
  for (const check of checksAfterBody.get(request) ?? []) await check();
}

export async function readRequestBody(
  request: Request,
  { limit, forms, admit }: { limit: number; forms: boolean; admit?: AdmitBytes },
): Promise<unknown> {
  const type = request.headers.get("Content-Type")?.split(";")[0]?.trim().toLowerCase() ?? "";
  const isJson = type === "" || type === "application/json" || type.endsWith("+json");
  const isForm = type === "application/x-www-form-urlencoded" || type === "multipart/form-data";
  if (!isJson && !(forms && isForm))
    throw fail("unsupported", forms ? "Send application/json or a form" : "Send application/json");
  refuseEncodedBody(request);
  const bytes = await readRequestBytes(request, limit, admit);
  return isJson ? parseJsonBody(bytes) : parseForm(bytes, request.headers.get("Content-Type") ?? type);
}

export function refuseEncodedBody({ headers }: Request): void {
  const encoding = headers.get("Content-Encoding") ?? "identity";
  if (encoding.toLowerCase() !== "identity")
    throw fail("unsupported", "Send the body without a Content-Encoding");
}

export const isFormPost = (request: Request) =>
  /^(application\/x-www-form-urlencoded|multipart\/form-data)\b/i.test(
    request.headers.get("Content-Type") ?? "",
  );

function parseJsonBody(bytes: Uint8Array): unknown {
  if (bytes.byteLength === 0) return undefined;
  try {
    return JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
  } catch {
    throw fail("invalid", "The body is not valid JSON");
  }
}

export const unreadableForm = () => fail("invalid", "The form could not be read");

/** More fields than any form has. Without a limit, parsing a large body of many fields would block all other requests. */
const maxFormFields = 5000;
/** After so many bytes of a form, which take a millisecond or two, other requests have their turn. */
const bytesPerTurn = kibibytes(256);

async function parseForm(bytes: Buffer, type: string) {
  return plainObject(await (/^multipart/i.test(type) ? fieldsOfForm(bytes, type) : decodedFields(bytes)));
}

/**
 * Parses `application/x-www-form-urlencoded` (URL standard, section 5.1). URLSearchParams takes several times as long for
 * a body of megabytes, and 32 bytes of memory for each plus. Overwrites the bytes.
 */
async function decodedFields(bytes: Buffer): Promise<[string, string][]> {
  const decoded = createDecoder();
  const fields: [string, string][] = [];
  for (const field of splitFields(bytes)) {
    const equals = field.indexOf("=");
    const nameEnd = equals < 0 ? field.length : equals;
    fields.push([await decoded(field.subarray(0, nameEnd)), await decoded(field.subarray(nameEnd + 1))]);
  }
  return fields;
}

function splitFields(bytes: Buffer): Buffer[] {
  const fields: Buffer[] = [];
  let count = 0;
  for (let start = 0; start < bytes.length; ) {
    count++;
    if (count > maxFormFields) throw unreadableForm();
    const ampersand = bytes.indexOf("&", start);
    const end = ampersand < 0 ? bytes.length : ampersand;
    if (end > start) fields.push(bytes.subarray(start, end));
    start = end + 1;
  }
  return fields;
}

const [plus, space, percent] = [0x2b, 0x20, 0x25];
const textDecoder = new TextDecoder("utf-8", { ignoreBOM: true });

/**
 * Returns the function that tells the text of a name or value. It decodes the text where it is, since the text is never
 * longer than its escapes.
 */
function createDecoder() {
  let leftInTurn = bytesPerTurn;
  return async (bytes: Buffer): Promise<string> => {
    let length = 0;
    for (let at = 0; at < bytes.length; at++) {
      if (leftInTurn-- === 0) {
        await nextTurn();
        leftInTurn = bytesPerTurn;
      }
      let byte = bytes[at] as number;
      if (byte === plus) byte = space;
      else if (byte === percent && at + 2 < bytes.length) {
        const [high, low] = [hexDigit(bytes[at + 1] as number), hexDigit(bytes[at + 2] as number)];
        if (high >= 0 && low >= 0) {
          byte = high * 16 + low;
          at += 2;
        }
      }
      bytes[length++] = byte;
    }
    return textDecoder.decode(bytes.subarray(0, length));
  };
}

/** The value of the digit, or -1 for another sign. */
function hexDigit(byte: number): number {
  if (byte >= 0x30 && byte <= 0x39) return byte - 0x30;
  const letter = byte | 0x20;
  return letter >= 0x61 && letter <= 0x66 ? letter - 0x57 : -1;
}

/**
 * The body is not parsed by `Response.formData()`, which refuses field names without quotes, and values that contain
 * the text of the boundary.
 */
async function fieldsOfForm(bytes: Uint8Array, type: string): Promise<[string, string][]> {
  const fields: [string, string][] = [];
  const parser = createFormParser(type, { fields: 100, parts: 100, fieldSize: bytes.byteLength });
  parser.on("field", (name, value) => fields.push([name, value]));
  parser.on("file", (_name, stream) => {
    // A form that ends too early also fails here, and an error event without a listener would end the process.
    stream.on("error", () => {});
    stream.resume();
  });
  await passToParser([bytes], parser).catch(() => {
    throw unreadableForm();
  });
  return fields;
}

/** The parser stops only after a piece. A longer one could contain thousands of parts. */
const formPieceBytes = kibibytes(4);

/** More than the pieces that wait while the file before a part is full, because the parser reads them in one tick. */
const partBytes = kibibytes(128);

type Pieces = AsyncIterable<Uint8Array> | Iterable<Uint8Array>;

/** Resolves when the parser has read the form. `pipeline` would not end if anything followed a form without parts. */
export const passToParser = (body: Pieces, parser: ReturnType<typeof createFormParser>) =>
  new Promise<void>((resolve, reject) => {
    parser.on("finish", resolve).on("error", reject);
    writePieces(body, parser).then(
      () => parser.end(),
      (error) => parser.destroy(error),
    );
  });

/**
 * Writes one piece in each tick. A part that the parser skips, such as one without a name, is dropped in the next tick. If
 * `partBytes` of it waited for that, the parser would pause, and would not go on if the part had ended.
 */
async function writePieces(body: Pieces, parser: ReturnType<typeof createFormParser>) {
  for await (const chunk of body)
    for (let at = 0; at < chunk.byteLength; at += formPieceBytes) {
      if (!parser.writable) return;
      parser.write(chunk.subarray(at, at + formPieceBytes));
      await new Promise<void>((resolve) => process.nextTick(resolve));
      if (parser.writableNeedDrain) await once(parser, "drain");
    }
}

/**
 * A form with more parts than `limits` allows fails. The parser would leave out the others, but make a stream for each, and
 * a body can contain a boundary every five bytes.
 */
export function createFormParser(
  type: string,
  limits: BusboyConfig["limits"],
  isPartAFile?: BusboyConfig["isPartAFile"],
) {
  try {
    const headers = { "content-type": type };
    const parser = busboy({ headers, limits, fileHwm: partBytes, ...(isPartAFile && { isPartAFile }) });
    return parser.on("partsLimit", () => void parser.destroy(new Error("the form has too many parts")));
  } catch {
    throw unreadableForm();
  }
}

/**
 * The first value of a repeated name counts. The values of names in `repeats`, also written `name[]`, are joined with
 * commas. An empty value counts as missing, except that it switches on a name in `flags`.
 */
export function queryObject(
  query: URLSearchParams,
  { repeats = [], flags = [] }: { repeats?: readonly string[]; flags?: readonly string[] },
) {
  const entries = [...query]
    .map(([name, value]): [string, string] => [name, value === "" && flags.includes(name) ? "true" : value])
    .filter(([, value]) => value !== "");
  const plain = plainObject(entries);
  for (const name of repeats) {
    const values = entries.filter(([one]) => one === name || one === `${name}[]`).map(([, value]) => value);
    if (values.length > 0) plain[name] = values.join(",");
  }
  return plain;
}

/** The object has no prototype, so `__proto__` is an ordinary field name. */
function plainObject(entries: [string, string][]): Record<string, string> {
  const plain: Record<string, string> = Object.create(null);
  for (const [name, value] of entries) plain[name] ??= value;
  return plain;
}

/** More levels than any accepted body has. Without a limit the recursion could overflow the stack. */
const maxDepth = 64;
/** More issues than anybody reads. */
const maxIssues = 100;

/**
 * PostgreSQL refuses NUL and lone surrogates in a text. Reporting them as issues gives 400; the database error would
 * give 500.
 */
export function listUnstorableText(value: unknown): Issue[] {
  const issues: Issue[] = [];
  collectUnstorableText({ value, path: "", depth: 0 }, issues);
  return issues.slice(0, maxIssues);
}

type Place = { value: unknown; path: string; depth: number };

/** Makes nothing for numbers and the like: a body may contain millions of them. */
function collectUnstorableText({ value, path, depth }: Place, issues: Issue[]) {
  if (typeof value === "string") {
    if (!isStorable(value)) issues.push({ path, message: "contains characters that are no text" });
    return;
  }
  if (typeof value !== "object" || value === null) return;
  if (depth > maxDepth) {
    issues.push({ path, message: "is nested too deep" });
    return;
  }
  const collect = (key: string | number, inner: unknown) => {
    if (typeof inner !== "string" && typeof inner !== "object") return;
    collectUnstorableText(
      { value: inner, path: path ? `${path}.${key}` : `${key}`, depth: depth + 1 },
      issues,
    );
  };
  if (Array.isArray(value)) {
    for (let at = 0; at < value.length && issues.length < maxIssues; at++) collect(at, value[at]);
    return;
  }
  for (const [key, inner] of Object.entries(value)) {
    if (issues.length >= maxIssues) return;
    if (isStorable(key)) collect(key, inner);
    else issues.push({ path, message: "contains a name that is no text" });
  }
}

const isStorable = (text: string) => text.isWellFormed() && !text.includes("\0");

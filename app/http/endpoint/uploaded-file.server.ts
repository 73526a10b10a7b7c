import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import type { Outcome } from "#app/domain/errors.ts";
import { type AdmitBytes, createByteBudget } from "#app/platform/limits/byte-budget.ts";
import { memoryPlan, shareOfMemory } from "#app/platform/process/memory.server.ts";
import { kibibytes, mebibytes } from "#app/platform/units.ts";
import { fail, statusOf } from "./error-response.server.ts";
import { boundedBody, createFormParser, readRequestBytes, unreadableForm } from "./request-body.server.ts";

/** Reads an uploaded file: the field `file` of a form, or the whole body. */

const rawTypes = new Set([
  "",
  "application/json",
  "application/xml",
  "text/xml",
  "text/plain",
  "application/gzip",
  "application/x-gzip",
  "application/octet-stream",
]);

/** The other parts of the form around the file. */
const maxFormOverheadBytes = kibibytes(64);
/** Limits the memory for all uploaded files together. */
const share = shareOfMemory(memoryPlan.uploadedFiles);
const withFileBudget = createByteBudget(share);
/** Larger than the share of one client, a file could never be read. */
const maxFileBytes = Math.min(mebibytes(32), share.perClient);

/** The other fields of the file's form. */
type Fields = Record<string, string>;
type Received = { bytes: Uint8Array; fields: Fields };
/** `turn`: whose work it is to read the file, and until when somebody waits for it. */
type Uploaded = Received & { turn: { client: string; signal: AbortSignal } };

/** Counts the bytes of the file as used memory until `read` has ended. */
export const readUploadedFile = <Answer>(
  request: Request,
  client: string,
  read: (file: Uploaded) => Promise<Answer>,
) =>
  withFileBudget(client, async (admit) => {
    const { bytes, fields } = await readFile(request, admit);
    if (bytes.byteLength === 0) throw fail("invalid", "There is no file in this request");
    return read({ bytes, fields, turn: { client, signal: request.signal } });
  });

type Unread = { kind: "refused"; message: string; status: number };

/** For a page, which shows why a file was not read in the place of an API error. */
export async function readPageFile<Value>(
  request: Request,
  client: string,
  read: (file: Uploaded) => Promise<Outcome<Value>>,
): Promise<{ kind: "read"; value: Value } | Unread> {
  try {
    const outcome = await readUploadedFile(request, client, read);
    if (outcome.ok) return { kind: "read", value: outcome.value };
    const { reason, message = "The file could not be read" } = outcome;
    return { kind: "refused", message, status: statusOf(reason) };
  } catch (error) {
    if (!(error instanceof Response)) throw error;
    const { error: message } = (await error.json()) as { error: string };
    return { kind: "refused", message, status: error.status };
  }
}

async function readFile(request: Request, admit: AdmitBytes): Promise<Received> {
  const header = request.headers.get("Content-Type") ?? "";
  const type = header.split(";")[0]?.trim().toLowerCase() ?? "";
  if (type === "multipart/form-data") return readForm(request, header, admit);
  if (rawTypes.has(type)) return { bytes: await readRequestBytes(request, maxFileBytes, admit), fields: {} };
  throw fail("unsupported", "Send multipart/form-data with a file named `file`, or the file as the body");
}

async function readForm(request: Request, type: string, admit: AdmitBytes): Promise<Received> {
  const body = boundedBody(request, maxFileBytes + maxFormOverheadBytes, "file");
  const chunks: Buffer[] = [];
  let failure: Response | undefined;
  const fields: Fields = Object.create(null);
  const parser = createFormParser(type, {
    files: 2,
    fields: 10,
    parts: 12,
    fieldSize: 1024,
    fieldNameSize: 100,
  });
  parser.on("field", (name, value) => {
    fields[name] ??= value;
  });
  parser.on("file", (name, stream) => {
    // A form that ends too early fails here too, and an error event without a listener would end the process.
    stream.on("error", () => {});
    if (name !== "file") return void stream.resume();
    stream.on("data", (chunk: Buffer) => {
      if (admit(chunk.length)) chunks.push(chunk);
      else failure ??= fail("overloaded");
    });
  });
  await pipeline(Readable.from(body), parser).catch((error) => {
    failure ??= error instanceof Response ? error : unreadableForm();
  });
  if (failure) throw failure;
  return { bytes: Buffer.concat(chunks), fields };
}

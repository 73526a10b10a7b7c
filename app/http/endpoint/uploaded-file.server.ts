import type { FileHandle } from "node:fs/promises";
import type { Readable } from "node:stream";
import type { Outcome } from "#app/domain/errors.ts";
import { type AdmitBytes, createByteBudget } from "#app/platform/limits/byte-budget.ts";
import { currentClient } from "#app/platform/limits/current-client.server.ts";
import { createFairShare } from "#app/platform/limits/fair-share.ts";
import { createRefusalCounter } from "#app/platform/limits/refusal-counter.server.ts";
import { hasFreeDisk } from "#app/platform/process/free-disk.server.ts";
import { openUnnamedFile } from "#app/platform/process/unnamed-file.server.ts";
import { kibibytes, mebibytes } from "#app/platform/units.ts";
import { type Context, ipBlockIn, signalIn } from "../context.server.ts";
import { leavePagePlace } from "../guards/page-limits.server.ts";
import { fail, statusOfReason } from "./error-response.server.ts";
import {
  boundedBody,
  createFormParser,
  passToParser,
  runChecksAfterBody,
  unreadableForm,
} from "./request-body.server.ts";

/** Reads an uploaded file: the field `file` of a form, the whole body, or what a route fetches. */

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

/** The size of the form's other parts. */
const maxFormOverheadBytes = kibibytes(64);
const maxFileBytes = mebibytes(32);
/** Limits the disk space of all uploaded files together. A file is deleted when its import has ended. */
const withFileBudget = createByteBudget({ total: 12 * maxFileBytes, perClient: 6 * maxFileBytes });

/** A file is kept until the client has read the report of its import, which lies in the same file. */
const filesOfAccounts = createFairShare({ total: Number.POSITIVE_INFINITY, perClient: 3 });
const countRefusal = createRefusalCounter(
  "files",
  "An account imports more files, or reads their reports more slowly, than it may, so some get 503",
);

/** The form's other fields. */
type Fields = Record<string, string | undefined>;
/** Stores the bytes of the file. The socket is read only as fast as the disk takes them. */
type SaveFile = (pieces: AsyncIterable<Uint8Array>) => Promise<void>;
/** Saves the file and returns the other fields. Throws the response of a refusal. */
export type FileSource = (save: SaveFile) => Promise<Fields>;
/** The file is on the disk, open and without a name, so it is deleted when it is closed. */
type Received = { file: FileHandle; size: number; fields: Fields };
/** `turn`: the client whose share reading the file uses, and a signal that aborts when the client leaves. */
type Uploaded = Received & { turn: { client: string; signal: AbortSignal }; keepFor: KeepFile };
/** Keeps the file until this body of an answer, which reads from it, is closed. */
export type KeepFile = (body: Readable) => void;

function takeFile(client: string): () => void {
  const leave = filesOfAccounts.take(currentClient()?.account ?? client);
  if (leave) return leave;
  countRefusal();
  throw fail("overloaded");
}

/** Stores the file until `read` has ended. `source`: for a file that is not in the request. */
export const readUploadedFile = <Answer>(
  request: Request,
  context: Context,
  read: (file: Uploaded) => Promise<Answer>,
  source: FileSource = (save) => receiveFile(request, save),
) =>
  new Promise<Answer>((resolve, reject) => {
    const turn = { client: ipBlockIn(context), signal: signalIn(context) };
    const leave = takeFile(turn.client);
    withFileBudget(turn.client, async (admit) => {
      if (!(await hasFreeDisk())) throw fail("disk_full");
      const file = await openUnnamedFile("uploads");
      let isSent: Promise<unknown> | undefined;
      const keepFor: KeepFile = (body) => {
        isSent = new Promise((sent) => body.once("close", sent));
      };
      try {
        const fields = await source((pieces) => write(pieces, file, admit));
        await runChecksAfterBody(request);
        const { size } = await file.stat();
        if (size === 0) throw fail("invalid", "There is no file in this request, or it is empty");
        const answer = await read({ file, size, fields, turn, keepFor });
        if (isSent) resolve(answer);
        await isSent;
        return answer;
      } finally {
        await file.close();
      }
    })
      .finally(leave)
      .then(resolve, reject);
  });

type Unread = { kind: "refused"; message: string; status: number };

/**
 * For pages: returns the reason why a file was not read, so that the page can show it instead of an API error. Imports
 * have a queue of their own, so the form gives its place to others before `read`.
 */
export async function readPageFile<Value>(
  request: Request,
  context: Context,
  read: (file: Uploaded) => Promise<Outcome<Value>>,
  source?: FileSource,
): Promise<{ kind: "read"; value: Value } | Unread> {
  try {
    const readInTurn = (file: Uploaded) => {
      leavePagePlace(context);
      return read(file);
    };
    const outcome = await readUploadedFile(request, context, readInTurn, source);
    if (outcome.ok) return { kind: "read", value: outcome.value };
    const { reason, message = "The file could not be read" } = outcome;
    return { kind: "refused", message, status: statusOfReason(reason) };
  } catch (error) {
    // A redirect is that of a guard.
    if (!(error instanceof Response) || error.status < 400) throw error;
    const { error: message } = (await error.json()) as { error: string };
    return { kind: "refused", message, status: error.status };
  }
}

async function receiveFile(request: Request, save: SaveFile): Promise<Fields> {
  const header = request.headers.get("Content-Type") ?? "";
  const type = header.split(";")[0]?.trim().toLowerCase() ?? "";
  if (type === "multipart/form-data") return receiveForm(request, header, save);
  if (!rawTypes.has(type))
    throw fail("unsupported", "Send multipart/form-data with a file named `file`, or the file as the body");
  await save(boundedBody(request, maxFileBytes));
  return {};
}

async function write(pieces: AsyncIterable<Uint8Array>, file: FileHandle, admit: AdmitBytes) {
  for await (const piece of pieces) {
    if (!admit(piece.byteLength)) throw fail("overloaded");
    await file.writeFile(piece);
  }
}

async function receiveForm(request: Request, type: string, save: SaveFile): Promise<Fields> {
  const body = boundedBody(request, maxFileBytes + maxFormOverheadBytes, "file");
  let failure: Response | undefined;
  let file: Readable | undefined;
  let writing: Promise<void> | undefined;
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
    // A form that ends too early also fails here, and an error event without a listener would end the process.
    stream.on("error", () => {});
    if (name !== "file" || file) return void stream.resume();
    file = stream;
    writing = save(stream).catch((error) => {
      failure ??= error instanceof Response ? error : unreadableForm();
      // The rest of the body is not read; the answer closes the connection.
      parser.destroy(new Error("the file could not be stored"));
    });
  });
  await passToParser(body, parser).catch((error) => {
    failure ??= error instanceof Response ? error : unreadableForm();
    // The parser does not end the file of a form that breaks off, so `save` would never return.
    file?.destroy();
  });
  await writing;
  if (failure) throw failure;
  return fields;
}

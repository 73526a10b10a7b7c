import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { type Admit, byteBudget } from "../platform/byte-budget.ts";
import { kibibytes, mebibytes } from "../platform/byte-size.ts";
import { fail } from "./error-response.server.ts";
import { openForm, readBytes, unreadableForm } from "./request-body.server.ts";

/** A file sent for reading: as `file` of a form, or as the body itself. */

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

const limit = mebibytes(32);
/** What a form adds around its file. */
const formOverhead = kibibytes(64);
/** Room for a few at once. */
const holdingFiles = byteBudget(mebibytes(128));

/** What stood beside the file in its form. */
type Fields = Record<string, string>;
type Uploaded = { bytes: Uint8Array; fields: Fields };

/** The bytes are let go of when `read` is done with them. */
export const readUploadedFile = <Outcome>(
  request: Request,
  read: (bytes: Uint8Array, fields: Fields) => Promise<Outcome>,
) =>
  holdingFiles(async (admit) => {
    const { bytes, fields } = await readFile(request, admit);
    if (bytes.byteLength === 0) throw fail("invalid", "There is no file in this request");
    return read(bytes, fields);
  });

async function readFile(request: Request, admit: Admit): Promise<Uploaded> {
  const header = request.headers.get("Content-Type") ?? "";
  const type = header.split(";")[0]?.trim().toLowerCase() ?? "";
  if (type === "multipart/form-data") return readForm(request, header, admit);
  if (rawTypes.has(type)) return { bytes: await readBytes(request, limit, admit), fields: {} };
  throw fail("unsupported", "Send multipart/form-data with a file named `file`, or the file as the body");
}

const tooLarge = () => fail("too_large", `The file is over its limit of ${limit} bytes`);

async function readForm(request: Request, type: string, admit: Admit): Promise<Uploaded> {
  if (Number(request.headers.get("Content-Length")) > limit + formOverhead) throw tooLarge();
  const chunks: Buffer[] = [];
  let trouble: Response | undefined;
  const fields: Fields = Object.create(null);
  const parser = openForm(type, { files: 2, fields: 10, parts: 12, fieldSize: 1024, fieldNameSize: 100 });
  parser.on("field", (name, value) => {
    fields[name] ??= value;
  });
  parser.on("file", (name, stream) => {
    // A form that ends too early fails here as well; unheard, that would end the process.
    stream.on("error", () => {});
    if (name !== "file") return void stream.resume();
    stream.on("data", (chunk: Buffer) => {
      if (admit(chunk.length)) chunks.push(chunk);
      else trouble ??= fail("overloaded");
    });
  });
  await pipeline(Readable.from(bounded(request)), parser).catch((error) => {
    trouble ??= error instanceof Response ? error : unreadableForm();
  });
  if (trouble) throw trouble;
  return { bytes: Buffer.concat(chunks), fields };
}

/** The whole form, cut off at its limit whatever length it announced. */
async function* bounded(request: Request): AsyncGenerator<Uint8Array> {
  let length = 0;
  for await (const chunk of request.body ?? []) {
    length += chunk.byteLength;
    if (length > limit + formOverhead) throw tooLarge();
    yield chunk;
  }
}

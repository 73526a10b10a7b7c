import { createReadStream } from "node:fs";
import { access, constants, stat } from "node:fs/promises";
import { Readable } from "node:stream";
import { isPlainObject } from "#app/platform/plain-object.ts";
import { mebibytes } from "#app/platform/units.ts";
import { parsedRecords, type RawRecord, recordsOf } from "./formats.ts";
import { idsOfXmlEntry } from "./id-mappings.ts";
import { findObjects } from "./json-objects.ts";
import { unpack } from "./unpack.server.ts";
import { withHead } from "./with-head.ts";
import { findXmlEntries, isXml } from "./xml-entries.ts";

/** Opens the input of an import, a file or a URL, compressed or not, and reads it as a stream of records. */

type OpenCatalogFile = {
  /** The total size, or null if unknown. */
  bytes: number | null;
  bytesRead(): number;
  records: AsyncIterable<RawRecord>;
};

export class CatalogReadError extends Error {
  override name = "CatalogReadError";
}

/** `name` is how error messages refer to the input. */
export async function openCatalogFile(pathOrUrl: string, name = pathOrUrl): Promise<OpenCatalogFile> {
  const { stream, bytes } = /^https?:\/\//i.test(pathOrUrl)
    ? await openUrl(pathOrUrl)
    : await openFile(pathOrUrl, name);
  let read = 0;
  const counted = (async function* () {
    for await (const chunk of stream) {
      read += (chunk as Buffer).byteLength;
      yield chunk as Buffer;
    }
  })();
  return { bytes, bytesRead: () => read, records: readRecords(textOf(counted, name)) };
}

async function openFile(path: string, name: string) {
  const [found] = await Promise.all([stat(path), access(path, constants.R_OK)]).catch((error) => {
    throw new CatalogReadError(`${name} cannot be read (${(error as NodeJS.ErrnoException).code})`);
  });
  if (found.isDirectory()) throw new CatalogReadError(`${name} is a folder`);
  return { stream: createReadStream(path), bytes: found.size };
}

/** The URL comes only from an operator on the command line, so private network addresses are allowed. */
async function openUrl(url: string) {
  const response = await fetch(url).catch((error: Error) => {
    throw new CatalogReadError(
      `${url} cannot be fetched (${(error.cause as { code?: string })?.code ?? error.message})`,
    );
  });
  if (!response.ok || !response.body) throw new CatalogReadError(`${url} answered ${response.status}`);
  const length = Number(response.headers.get("Content-Length"));
  const isWhole = length > 0 && !response.headers.has("Content-Encoding");
  return { stream: Readable.fromWeb(response.body as never), bytes: isWhole ? length : null };
}

async function* textOf(chunks: AsyncIterable<Buffer>, name: string): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  try {
    for await (const chunk of unpack(chunks)) yield decoder.decode(chunk, { stream: true });
  } catch (error) {
    throw new CatalogReadError(`${name} is incomplete or damaged (${whyOf(error as Error)})`);
  }
}

/**
 * Errors of zlib and the file system have a word as their code. Errors of zstd have a number, so their message is used.
 */
const whyOf = ({ message, code }: Error & { code?: unknown }) => (typeof code === "string" ? code : message);

/** Limits the blank text read before the first character, which reveals the format. */
const maxBlankLength = mebibytes(1);

export async function* readRecords(chunks: AsyncIterable<string>): AsyncGenerator<RawRecord> {
  const source = chunks[Symbol.asyncIterator]();
  let head = "";
  for (let isDone = false; !isDone && /^\uFEFF?\s*$/.test(head); ) {
    const { done, value } = await source.next();
    isDone = done === true;
    head += value ?? "";
    if (head.length > maxBlankLength) throw new CatalogReadError("The content begins with too many spaces");
  }
  const all = withHead(head, source);
  if (isWebPage(head)) throw new CatalogReadError("The content is a web page and not a catalog");
  yield* isXml(head) ? readXml(all) : readJson(all);
}

/** Servers respond with a web page if a file was moved or a sign-in is required. */
const isWebPage = (head: string) => /^\uFEFF?\s*<(!doctype\s+html|html|head|body)\b/i.test(head);

async function* readJson(chunks: AsyncIterable<string>): AsyncGenerator<RawRecord> {
  for await (const object of findObjects(chunks)) {
    if ("trouble" in object) yield { where: object.where, rejected: object.trouble };
    else if (isPlainObject(object.value)) yield* recordsOf(object.value, object.where);
    else yield { where: object.where, rejected: "is not an object" };
  }
}

async function* readXml(chunks: AsyncIterable<string>): AsyncGenerator<RawRecord> {
  for await (const entry of findXmlEntries(chunks)) {
    if ("trouble" in entry) yield { where: entry.where, rejected: entry.trouble };
    else yield* parsedRecords(idsOfXmlEntry(entry.attributes), "anime-lists", entry.where);
  }
}

import { createReadStream } from "node:fs";
import { access, constants, stat } from "node:fs/promises";
import { pipeline, Readable } from "node:stream";
import { createGunzip } from "node:zlib";
import { isObjectRecord, parsedRecords, type RawRecord, recordsOf } from "./formats.ts";
import { idsOfXmlEntry } from "./id-mappings.ts";
import { findObjects } from "./json-objects.ts";
import { findEntries, isXml } from "./xml-entries.ts";

/** Opens the input of an import, a file or a URL, gzipped or not, and reads it as a stream of records. */

type OpenCatalogFile = {
  /** The total size; null when it is unknown. */
  bytes: number | null;
  bytesRead(): number;
  records: AsyncIterable<RawRecord>;
};

export class UnreadableCatalog extends Error {
  override name = "Unreadable";
}

export async function openCatalogFile(pathOrUrl: string): Promise<OpenCatalogFile> {
  const { stream, bytes } = /^https?:\/\//i.test(pathOrUrl)
    ? await openUrl(pathOrUrl)
    : await openFile(pathOrUrl);
  let read = 0;
  const counted = (async function* () {
    for await (const chunk of stream) {
      read += (chunk as Buffer).byteLength;
      yield chunk as Buffer;
    }
  })();
  return { bytes, bytesRead: () => read, records: readRecords(textOf(counted, pathOrUrl)) };
}

async function openFile(path: string) {
  const [found] = await Promise.all([stat(path), access(path, constants.R_OK)]).catch((error) => {
    throw new UnreadableCatalog(`${path} cannot be read (${(error as NodeJS.ErrnoException).code})`);
  });
  if (found.isDirectory()) throw new UnreadableCatalog(`${path} is a folder`);
  return { stream: createReadStream(path), bytes: found.size };
}

/** Only an operator on the command line chooses this URL, so private network addresses are allowed. */
async function openUrl(url: string) {
  const response = await fetch(url).catch((error: Error) => {
    throw new UnreadableCatalog(
      `${url} cannot be fetched (${(error.cause as { code?: string })?.code ?? error.message})`,
    );
  });
  if (!response.ok || !response.body) throw new UnreadableCatalog(`${url} answered ${response.status}`);
  const length = Number(response.headers.get("Content-Length"));
  const isWhole = length > 0 && !response.headers.has("Content-Encoding");
  return { stream: Readable.fromWeb(response.body as never), bytes: isWhole ? length : null };
}

/** Recognises gzip by its first two bytes (RFC 1952, section 2.3.1), because file names and types can be wrong. */
async function* textOf(chunks: AsyncGenerator<Buffer>, pathOrUrl: string): AsyncGenerator<string> {
  const first = await chunks.next();
  if (first.done) return;
  const all = (async function* () {
    yield first.value;
    yield* chunks;
  })();
  const isGzip = first.value[0] === 0x1f && first.value[1] === 0x8b;
  const unpacked = isGzip ? unzipped(all) : all;
  const decoder = new TextDecoder();
  try {
    for await (const chunk of unpacked) yield decoder.decode(chunk as Buffer, { stream: true });
  } catch (error) {
    throw new UnreadableCatalog(
      `${pathOrUrl} is incomplete or damaged (${(error as { code?: string }).code ?? "unknown"})`,
    );
  }
}

/** `pipeline` requires a callback. It stays empty, because the reader of the returned stream gets the same error. */
const unzipped = (chunks: AsyncIterable<Buffer>) => pipeline(Readable.from(chunks), createGunzip(), () => {});

export async function* readRecords(chunks: AsyncIterable<string>): AsyncGenerator<RawRecord> {
  const source = chunks[Symbol.asyncIterator]();
  let head = "";
  for (let isDone = false; !isDone && /^\uFEFF?\s*$/.test(head); ) {
    const { done, value } = await source.next();
    isDone = done === true;
    head += value ?? "";
  }
  const all = (async function* () {
    yield head;
    yield* { [Symbol.asyncIterator]: () => source };
  })();
  yield* isXml(head) ? readXml(all) : readJson(all);
}

async function* readJson(chunks: AsyncIterable<string>): AsyncGenerator<RawRecord> {
  for await (const found of findObjects(chunks)) {
    if ("trouble" in found) yield { where: found.where, rejected: found.trouble };
    else if (isObjectRecord(found.value)) yield* recordsOf(found.value, found.where);
    else yield { where: found.where, rejected: "is not an object" };
  }
}

async function* readXml(chunks: AsyncIterable<string>): AsyncGenerator<RawRecord> {
  for await (const found of findEntries(chunks)) {
    if ("trouble" in found) yield { where: found.where, rejected: found.trouble };
    else yield* parsedRecords(idsOfXmlEntry(found.attributes), "anime-lists", found.where);
  }
}

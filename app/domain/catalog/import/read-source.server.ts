import { createReadStream } from "node:fs";
import { access, constants, stat } from "node:fs/promises";
import { pipeline, Readable } from "node:stream";
import { createGunzip } from "node:zlib";
import { isObjectRecord, type RawRecord, recordsOf } from "./formats.ts";
import { findObjects } from "./json-objects.ts";

/** Opens what an import is given, a file or an address, gzipped or not, and reads it as a stream of records. */

type OpenCatalogFile = {
  /** Bytes in all, where that is known. */
  bytes: number | null;
  bytesRead(): number;
  records: AsyncIterable<RawRecord>;
};

export class UnreadableCatalog extends Error {
  override name = "Unreadable";
}

export async function openCatalogFile(place: string): Promise<OpenCatalogFile> {
  const { stream, bytes } = /^https?:\/\//i.test(place) ? await openUrl(place) : await openFile(place);
  let read = 0;
  const counted = (async function* () {
    for await (const chunk of stream) {
      read += (chunk as Buffer).byteLength;
      yield chunk as Buffer;
    }
  })();
  return { bytes, bytesRead: () => read, records: readRecords(textOf(counted, place)) };
}

async function openFile(path: string) {
  const [found] = await Promise.all([stat(path), access(path, constants.R_OK)]).catch((error) => {
    throw new UnreadableCatalog(`${path} cannot be read (${(error as NodeJS.ErrnoException).code})`);
  });
  if (found.isDirectory()) throw new UnreadableCatalog(`${path} is a folder`);
  return { stream: createReadStream(path), bytes: found.size };
}

/** An operator names the address on a command line, so no address is out of bounds here. */
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

/** Gzip is known by its first bytes, whatever the name says. */
async function* textOf(chunks: AsyncGenerator<Buffer>, place: string): AsyncGenerator<string> {
  const first = await chunks.next();
  if (first.done) return;
  const all = (async function* () {
    yield first.value;
    yield* chunks;
  })();
  const isGzip = first.value[0] === 0x1f && first.value[1] === 0x8b;
  const plain = isGzip ? unzipped(all) : all;
  const decoder = new TextDecoder();
  try {
    for await (const chunk of plain) yield decoder.decode(chunk as Buffer, { stream: true });
  } catch (error) {
    throw new UnreadableCatalog(
      `${place} breaks off or is damaged (${(error as { code?: string }).code ?? "unknown"})`,
    );
  }
}

/** What fails on the way reaches whoever reads the end. */
const unzipped = (chunks: AsyncIterable<Buffer>) => pipeline(Readable.from(chunks), createGunzip(), () => {});

/** Also for lines that are in memory already, as the starter catalog's are. */
export async function* readRecords(chunks: AsyncIterable<string>): AsyncGenerator<RawRecord> {
  for await (const found of findObjects(chunks)) {
    if ("trouble" in found) yield { where: found.where, rejected: found.trouble };
    else if (isObjectRecord(found.value)) yield* recordsOf(found.value, found.where);
    else yield { where: found.where, rejected: "is no object" };
  }
}

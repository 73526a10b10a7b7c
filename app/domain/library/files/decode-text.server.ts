import { pipeline, Readable } from "node:stream";
import { createGunzip } from "node:zlib";
import { catchRefusal, done, type Outcome, refuse, ThrownRefusal } from "#app/domain/errors.ts";
import { withWindowsCharacters } from "#app/media/subtitles/text-encoding.ts";
import type { ScratchFile } from "#app/platform/process/stored-rows.ts";
import { mebibytes, sizeText } from "#app/platform/units.ts";

/** Decodes an uploaded file, gzipped or not, chunk by chunk. */

const maxUnpackedBytes = mebibytes(32);

export type FileChunks = Iterable<Uint8Array>;

/** A text stored in a scratch file as UTF-8. `start` contains its first characters. */
export type StoredText = { fd: number; begin: number; end: number; start: string };

const startLength = 10_000;

/** Writes the text into the scratch file, because readers go over it more than once. */
export async function storeText(packed: FileChunks, scratch: ScratchFile): Promise<Outcome<StoredText>> {
  const text: StoredText = { fd: scratch.fd, begin: scratch.end, end: scratch.end, start: "" };
  try {
    for await (const part of decode(limited(unpack(packed)))) {
      if (text.start.length < startLength) text.start = (text.start + part).slice(0, startLength);
      scratch.append(part);
    }
    text.end = scratch.end;
    return done(text);
  } catch (error) {
    return catchRefusal(error);
  }
}

/** Enough bytes to detect the encoding and the kind of the file. */
const headBytes = 200;

/**
 * A byte sequence that is invalid in the encoding becomes U+FFFD, so that one bad character does not fail the whole
 * list. The encoding comes from the first bytes, then from the XML declaration; otherwise it is UTF-8.
 */
async function* decode(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  let head: Uint8Array = new Uint8Array();
  let decodePart: DecodePart | undefined;
  for await (const chunk of chunks) {
    if (decodePart) yield decodePart(chunk);
    else {
      head = Buffer.concat([head, chunk]);
      if (head.byteLength < headBytes) continue;
      decodePart = createDecoder(head);
      yield decodePart(head);
    }
  }
  if (!decodePart) {
    decodePart = createDecoder(head);
    yield decodePart(head);
  }
  yield decodePart();
}

/** Called without a part at the end of the text. */
type DecodePart = (part?: Uint8Array) => string;

function createDecoder(head: Uint8Array): DecodePart {
  const binaryText = findBinaryText(head);
  if (binaryText !== null) throw new ThrownRefusal(refuse("invalid", binaryText));
  const encoding = findUnicodeEncoding(head) ?? findDeclaredEncoding(head) ?? "utf-8";
  try {
    const decoder = new TextDecoder(encoding);
    const clean = decoder.encoding === "windows-1252" ? withWindowsCharacters : (text: string) => text;
    return (part) => clean(decoder.decode(part, { stream: part !== undefined }));
  } catch {
    throw new ThrownRefusal(
      refuse(
        "invalid",
        `This site does not know the encoding ${encoding}, which the file names in its first line. Save the file as UTF-8 and try again.`,
      ),
    );
  }
}

/** Recognises the byte order mark, or the zero byte that UTF-16 has beside the first character of XML and JSON. */
function findUnicodeEncoding([first, second]: Uint8Array): string | null {
  if ((first === 0xff && second === 0xfe) || (first !== 0 && second === 0)) return "utf-16le";
  if ((first === 0xfe && second === 0xff) || (first === 0 && second !== 0)) return "utf-16be";
  return first === 0xef && second === 0xbb ? "utf-8" : null;
}

function findDeclaredEncoding(bytes: Uint8Array): string | null {
  const start = Buffer.from(bytes.subarray(0, 200)).toString("latin1");
  const declared = /^\s*<\?xml\s[^>]*?\bencoding\s*=\s*["']([\w.:-]{1,40})["']/i.exec(start)?.[1];
  // A declaration that could be read as single bytes is not UTF-16 or UTF-32, even if it claims so.
  if (declared === undefined || /^(utf|ucs|iso-10646-ucs)-?(16|2|32|4)/i.test(declared)) return null;
  try {
    return new TextDecoder(declared).encoding;
  } catch {
    return declared;
  }
}

const archiveText = "This is an archive. Unpack it and choose the file inside.";
const mediaText =
  "This is a picture, a video or a PDF document, which an import cannot read. Choose the file that the other site exported.";

/** The first bytes of files that members choose by mistake, as Latin-1. */
const binaryKinds: readonly (readonly [string, string])[] = [
  ["PK\x03\x04", "This is a ZIP archive. Unpack it and choose the file inside."],
  ["7z\xbc\xaf", archiveText],
  ["Rar!", archiveText],
  ["%PDF", mediaText],
  ["\x89PNG", mediaText],
  ["\xff\xd8\xff", mediaText],
  ["GIF8", mediaText],
  ["RIFF", mediaText],
  ["\x1aE\xdf\xa3", mediaText],
];

function findBinaryText(bytes: Uint8Array): string | null {
  const start = Buffer.from(bytes.subarray(0, 8)).toString("latin1");
  if (start.startsWith("ftyp", 4)) return mediaText;
  return binaryKinds.find(([magic]) => start.startsWith(magic))?.[1] ?? null;
}

/** Gzip is recognised by its first two bytes. */
async function* unpack(packed: FileChunks): AsyncGenerator<Uint8Array, void, void> {
  const chunks = packed[Symbol.iterator]();
  let head: Buffer = Buffer.alloc(0);
  while (head.byteLength < 2) {
    const { done: isDone, value } = chunks.next();
    if (isDone) break;
    head = Buffer.concat([head, value]);
  }
  const all = (function* () {
    yield head;
    yield* { [Symbol.iterator]: () => chunks };
  })();
  if (head[0] !== 0x1f || head[1] !== 0x8b) return yield* all;
  try {
    // `pipeline` requires a callback. It stays empty, because the reader of the returned stream gets the same error.
    yield* pipeline(Readable.from(all), createGunzip(), () => {}) as AsyncIterable<Uint8Array>;
  } catch {
    throw new ThrownRefusal(
      refuse("invalid", "The file is damaged and cannot be unpacked. Export it again and try once more."),
    );
  }
}

async function* limited(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let length = 0;
  for await (const chunk of chunks) {
    length += chunk.byteLength;
    if (length > maxUnpackedBytes)
      throw new ThrownRefusal(
        refuse("too_large", `The unpacked file is larger than ${sizeText(maxUnpackedBytes)}`),
      );
    yield chunk;
  }
}

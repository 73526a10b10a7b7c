import { pipeline, Readable } from "node:stream";
import { resourceLimits } from "node:worker_threads";
import { createGunzip } from "node:zlib";
import { done, type Outcome, type Refusal, refuse } from "#app/domain/errors.ts";
import { mebibytes, sizeText } from "#app/platform/units.ts";
import { measureJson } from "./json-measure.ts";

/**
 * Decodes an uploaded file, gzipped or not, to text and to JSON. Each step has a limit, so that no file fills the
 * memory. Bytes arrive in chunks; only the text is held, in the worker thread's heap, which is limited too.
 */

const heapMb = resourceLimits.maxOldGenerationSizeMb ?? 100;
/** A text that is larger than the heap would end the whole process, not only this thread. */
const maxTextBytes = Math.min(mebibytes(32), mebibytes(heapMb) / 2);
/** Parsed JSON can take a hundred times the memory of its text, so a small heap gets fewer values. */
const maxJsonValues = Math.min(4_000_000, heapMb * 40_000);
const maxJsonDepth = 100;

export type FileChunks = AsyncIterable<Uint8Array> | Iterable<Uint8Array>;

export async function readText(packed: FileChunks): Promise<Outcome<string>> {
  try {
    return await decode(limited(unpack(packed)));
  } catch (error) {
    if (error instanceof DecodingRefusal) return error.refusal;
    throw error;
  }
}

class DecodingRefusal extends Error {
  override name = "DecodingRefusal";
  readonly refusal: Refusal;
  constructor(refusal: Refusal) {
    super(refusal.reason);
    this.refusal = refusal;
  }
}

/** Enough to tell the encoding and the kind of the file. */
const headBytes = 200;

/**
 * A byte sequence that is invalid in the encoding becomes U+FFFD, so that one bad character does not fail the whole
 * list. The encoding comes from the first bytes, then from the XML declaration; otherwise it is UTF-8.
 */
async function decode(chunks: AsyncIterable<Uint8Array>): Promise<Outcome<string>> {
  let head: Uint8Array = new Uint8Array();
  let decoder: TextDecoder | undefined;
  const texts: string[] = [];
  const begin = () => {
    const binaryText = findBinaryText(head);
    if (binaryText !== null) throw new DecodingRefusal(refuse("invalid", binaryText));
    decoder = createDecoder(findUnicodeEncoding(head) ?? findDeclaredEncoding(head) ?? "utf-8");
    texts.push(decoder.decode(head, { stream: true }));
  };
  for await (const chunk of chunks) {
    if (decoder) texts.push(decoder.decode(chunk, { stream: true }));
    else {
      head = Buffer.concat([head, chunk]);
      if (head.byteLength >= headBytes) begin();
    }
  }
  if (!decoder) begin();
  texts.push(decoder?.decode() ?? "");
  const text = texts.join("");
  return done(decoder?.encoding === "windows-1252" ? withWindowsCharacters(text) : text);
}

function createDecoder(encoding: string): TextDecoder {
  try {
    return new TextDecoder(encoding);
  } catch {
    throw new DecodingRefusal(
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

const windowsCharacters = "€\x81‚ƒ„…†‡ˆ‰Š‹Œ\x8dŽ\x8f\x90‘’“”•–—˜™š›œ\x9džŸ";

/** Many versions of Node decode windows-1252 as Latin-1, which has control characters here (nodejs/node#60888). */
const withWindowsCharacters = (text: string) =>
  text.replace(/[\x80-\x9f]/g, (control) => windowsCharacters[control.charCodeAt(0) - 0x80] ?? control);

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
  const chunks = iteratorOf(packed);
  let head: Buffer = Buffer.alloc(0);
  while (head.byteLength < 2) {
    const { done: isDone, value } = await chunks.next();
    if (isDone) break;
    head = Buffer.concat([head, value]);
  }
  const all = (async function* () {
    yield head;
    yield* chunks;
  })();
  if (head[0] !== 0x1f || head[1] !== 0x8b) return yield* all;
  try {
    // `pipeline` requires a callback. It stays empty, because the reader of the returned stream gets the same error.
    yield* pipeline(Readable.from(all), createGunzip(), () => {}) as AsyncIterable<Uint8Array>;
  } catch {
    throw new DecodingRefusal(
      refuse("invalid", "The file is damaged and cannot be unpacked. Export it again and try once more."),
    );
  }
}

async function* iteratorOf(chunks: FileChunks): AsyncGenerator<Uint8Array, void, void> {
  yield* chunks;
}

async function* limited(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let length = 0;
  for await (const chunk of chunks) {
    length += chunk.byteLength;
    if (length > maxTextBytes)
      throw new DecodingRefusal(
        refuse("too_large", `The unpacked file is larger than ${sizeText(maxTextBytes)}`),
      );
    yield chunk;
  }
}

/** Parsed JSON can take a hundred times the memory of its text, so its values are counted before parsing. */
export function readJson(text: string): Outcome<unknown> {
  const { values, depth } = measureJson(text);
  if (values > maxJsonValues || depth > maxJsonDepth)
    return refuse(
      "too_large",
      "The file has more data than a list or an account can have. Choose another file.",
    );
  try {
    return done(parseJson(text));
  } catch {
    return refuse("invalid", "The file is not valid JSON. Export it again and try once more.");
  }
}

/**
 * A raw control character in a string makes JSON invalid. It becomes a space, so that it does not fail the whole file.
 */
function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // biome-ignore lint/suspicious/noControlCharactersInRegex: RFC 8259, section 7, does not allow these in strings.
    return JSON.parse(text.replace(/[\u0000-\u001f]/g, " "));
  }
}

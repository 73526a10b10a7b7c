import { promisify } from "node:util";
import { gunzip } from "node:zlib";
import { done, type Outcome, refuse } from "#app/domain/errors.ts";
import { mebibytes, sizeText } from "#app/platform/units.ts";
import { measureJson } from "./json-measure.ts";

/** Decodes an uploaded file, gzipped or not, to text and to JSON. Each step has a limit, so that no file fills the memory. */

const maxTextBytes = mebibytes(32);
const maxJsonValues = 4_000_000;
const maxJsonDepth = 100;
const unzip = promisify(gunzip);

export async function readText(bytes: Uint8Array): Promise<Outcome<string>> {
  const unpacked = await unpack(bytes);
  if (!unpacked.ok) return unpacked;
  try {
    return done(new TextDecoder("utf-8", { fatal: true }).decode(unpacked.value));
  } catch {
    return refuse("invalid", "The file is not UTF-8 text. Save it as UTF-8 and try again.");
  }
}

async function unpack(bytes: Uint8Array): Promise<Outcome<Uint8Array>> {
  const isGzip = bytes[0] === 0x1f && bytes[1] === 0x8b;
  if (!isGzip)
    return bytes.byteLength > maxTextBytes
      ? refuse("too_large", `The file is larger than ${sizeText(maxTextBytes)}`)
      : done(bytes);
  try {
    return done(await unzip(bytes, { maxOutputLength: maxTextBytes }));
  } catch (error) {
    const isTooLarge = (error as NodeJS.ErrnoException).code === "ERR_BUFFER_TOO_LARGE";
    return isTooLarge
      ? refuse("too_large", `The unpacked file is larger than ${sizeText(maxTextBytes)}`)
      : refuse("invalid", "The file is damaged and cannot be unpacked. Export it again and try once more.");
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
    return done(JSON.parse(text));
  } catch {
    return refuse("invalid", "The file is not valid JSON. Export it again and try once more.");
  }
}

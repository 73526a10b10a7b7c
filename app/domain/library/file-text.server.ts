import { promisify } from "node:util";
import { gunzip } from "node:zlib";
import { done, type Outcome, refuse } from "../errors.ts";
import { measureJson } from "./json-measure.ts";

/** From the bytes of an uploaded file, gzipped or not, to its text, and from there to JSON: bounded at each step. */

const largest = 32 * 1024 * 1024;
const mostValues = 4_000_000;
const deepest = 100;
const unzip = promisify(gunzip);

export async function readText(bytes: Uint8Array): Promise<Outcome<string>> {
  const unpacked = await unpack(bytes);
  if (!unpacked.ok) return unpacked;
  try {
    return done(new TextDecoder("utf-8", { fatal: true }).decode(unpacked.value));
  } catch {
    return refuse("invalid", "The file is not UTF-8 text");
  }
}

async function unpack(bytes: Uint8Array): Promise<Outcome<Uint8Array>> {
  const isGzip = bytes[0] === 0x1f && bytes[1] === 0x8b;
  if (!isGzip)
    return bytes.byteLength > largest ? refuse("too_large", "The file is over 32 MiB") : done(bytes);
  try {
    return done(await unzip(bytes, { maxOutputLength: largest }));
  } catch (error) {
    const isTooLarge = (error as NodeJS.ErrnoException).code === "ERR_BUFFER_TOO_LARGE";
    return isTooLarge
      ? refuse("too_large", "The file is over 32 MiB once unpacked")
      : refuse("invalid", "The file is damaged: it does not unpack");
  }
}

/** What a text of 32 MiB can say in JSON may take a hundred times that in memory, so it is measured first. */
export function readJson(text: string): Outcome<unknown> {
  const { values, depth } = measureJson(text);
  if (values > mostValues || depth > deepest)
    return refuse("too_large", "The file holds more than any list or account would");
  try {
    return done(JSON.parse(text));
  } catch {
    return refuse("invalid", "The file is not valid JSON");
  }
}

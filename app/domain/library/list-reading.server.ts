import { promisify } from "node:util";
import { gunzip } from "node:zlib";
import { done, type Outcome, refuse } from "../errors.ts";
import type { ListFile, ReadOptions } from "./list-file.ts";
import { readJsonList } from "./list-json.ts";
import { readMyAnimeList, UnreadableList } from "./myanimelist-xml.server.ts";

/** Reads an uploaded list, whichever of the known files it is, gzipped or not. */

const largest = 32 * 1024 * 1024;
const unzip = promisify(gunzip);

export async function readListFile(bytes: Uint8Array, options: ReadOptions): Promise<Outcome<ListFile>> {
  const unpacked = await unpack(bytes);
  if (!unpacked.ok) return unpacked;
  const text = decode(unpacked.value);
  if (text === null) return refuse("invalid", "The file is not UTF-8 text");
  return text.trimStart().startsWith("<") ? readXml(text, options) : readJson(text, options);
}

async function unpack(bytes: Uint8Array): Promise<Outcome<Uint8Array>> {
  const isGzip = bytes[0] === 0x1f && bytes[1] === 0x8b;
  if (!isGzip)
    return bytes.byteLength > largest ? refuse("too_large", "The list is over 32 MiB") : done(bytes);
  try {
    return done(await unzip(bytes, { maxOutputLength: largest }));
  } catch (error) {
    const isTooLarge = (error as NodeJS.ErrnoException).code === "ERR_BUFFER_TOO_LARGE";
    return isTooLarge
      ? refuse("too_large", "The list is over 32 MiB once unpacked")
      : refuse("invalid", "The file is damaged: it does not unpack");
  }
}

function decode(bytes: Uint8Array) {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return null;
  }
}

async function readXml(text: string, options: ReadOptions): Promise<Outcome<ListFile>> {
  try {
    return done(await readMyAnimeList(text, options));
  } catch (error) {
    if (error instanceof UnreadableList)
      return refuse("invalid", `The list could not be read: ${error.message}`);
    throw error;
  }
}

function readJson(text: string, options: ReadOptions): Outcome<ListFile> {
  try {
    const file = readJsonList(JSON.parse(text), options);
    return file
      ? done(file)
      : refuse(
          "invalid",
          "This is none of the list files we know: MyAnimeList XML, AniList JSON, our own JSON",
        );
  } catch (error) {
    if (error instanceof SyntaxError) return refuse("invalid", "The file is not valid JSON");
    throw error;
  }
}

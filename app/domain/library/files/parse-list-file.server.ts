import { readSync } from "node:fs";
import { StringDecoder } from "node:string_decoder";
import { catchRefusal, done, type Outcome, refuse } from "#app/domain/errors.ts";
import { measureStoredJson, OversizedJson, readStoredJson } from "#app/platform/process/stored-json.ts";
import type { ScratchFile } from "#app/platform/process/stored-rows.ts";
import { kibibytes } from "#app/platform/units.ts";
import { readAccount } from "./account-file.ts";
import { type FileChunks, type StoredText, storeText } from "./decode-text.server.ts";
import { readJsonList } from "./json-lists.ts";
import { chooseListText, tooMuchDataText, unknownJsonText } from "./list-records.ts";
import { readMyAnimeList } from "./myanimelist-xml.server.ts";
import { type StoredList, storeList } from "./store-list.ts";

/** Reads uploaded files in constant memory. Their rows go into the scratch file. */

export async function readAccountFile(chunks: FileChunks, scratch: ScratchFile) {
  const text = await storeText(chunks, scratch);
  return text.ok
    ? refuseUnreadable(
        () => readAccount(readJson(text.value), scratch),
        "This is not an account file. Choose a file that was exported from an account.",
      )
    : text;
}

export async function readListFile(chunks: FileChunks, scratch: ScratchFile): Promise<Outcome<StoredList>> {
  const text = await storeText(chunks, scratch);
  if (!text.ok) return text;
  const start = text.value.start.trimStart();
  const wrongText = wrongTexts.find(([form]) => form.test(start))?.[1];
  if (wrongText !== undefined) return refuse("invalid", wrongText);
  return refuseUnreadable(() => {
    let isList = true;
    const stored = storeList((list) => {
      if (start.startsWith("<")) readMyAnimeList(partsOf(text.value), list);
      else isList = readJsonList(readJson(text.value), list);
    }, scratch);
    return isList ? stored : null;
  }, unknownJsonText);
}

/** Beginnings of texts that are certainly not lists, each with the message for the member. */
const wrongTexts: readonly (readonly [RegExp, string])[] = [
  [/^$/, "The file is empty. Export the list again and choose the new file."],
  [/^<(!doctype\s+)?html\b/i, `This is a web page, not a list file. ${chooseListText}`],
  [/^#EXTM3U/, `This is a playlist of videos, not a list of titles. ${chooseListText}`],
  [/^[^<{[]/, `This is a text or CSV file, which an import cannot read. ${chooseListText}`],
];

/** No account has as many values, and reading them would keep the thread busy for long. */
const maxJsonValues = 4_000_000;
const maxJsonDepth = 100;

function readJson(text: StoredText): unknown {
  const { values, depth } = measureStoredJson(text);
  if (values > maxJsonValues || depth > maxJsonDepth) throw new OversizedJson();
  return readStoredJson(text);
}

function* partsOf({ fd, begin, end }: StoredText): Generator<string> {
  const decoder = new StringDecoder("utf8");
  const bytes = Buffer.alloc(kibibytes(64));
  for (let at = begin; at < end; ) {
    const count = readSync(fd, bytes, 0, Math.min(bytes.byteLength, end - at), at);
    if (count === 0) throw new Error("a stored text is shorter than it was");
    at += count;
    yield decoder.write(bytes.subarray(0, count));
  }
}

function refuseUnreadable<File>(read: () => File | null, unknownText: string): Outcome<File> {
  try {
    const file = read();
    return file ? done(file) : refuse("invalid", unknownText);
  } catch (error) {
    if (error instanceof SyntaxError)
      return refuse("invalid", "The file is not valid JSON. Export it again and try once more.");
    if (error instanceof OversizedJson) return refuse("too_large", tooMuchDataText);
    return catchRefusal(error);
  }
}

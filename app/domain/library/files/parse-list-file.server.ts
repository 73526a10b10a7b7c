import { done, type Outcome, refuse } from "#app/domain/errors.ts";
import { type AccountFile, readAccount } from "./account-file.ts";
import { type FileChunks, readJson, readText } from "./decode-text.server.ts";
import { readJsonList } from "./json-lists.ts";
import { chooseListText, type ListFile, UnreadableFile, WrongFile } from "./list-records.ts";
import { readMyAnimeList } from "./myanimelist-xml.server.ts";

export async function readAccountFile(chunks: FileChunks): Promise<Outcome<AccountFile>> {
  const text = await readText(chunks);
  if (!text.ok) return text;
  const json = readJson(text.value);
  return json.ok
    ? refuseUnreadable(
        () => readAccount(json.value),
        "This is not an account file. Choose a file that was exported from an account.",
      )
    : json;
}

export async function readListFile(chunks: FileChunks): Promise<Outcome<ListFile>> {
  const text = await readText(chunks);
  if (!text.ok) return text;
  const start = text.value.slice(0, 10_000).trimStart();
  const wrongText = wrongTexts.find(([form]) => form.test(start))?.[1];
  if (wrongText !== undefined) return refuse("invalid", wrongText);
  if (start.startsWith("<")) return refuseUnreadable(() => readMyAnimeList(text.value), unknownJsonText);
  const json = readJson(text.value);
  return json.ok ? refuseUnreadable(() => readJsonList(json.value), unknownJsonText) : json;
}

/** Beginnings of texts that are certainly not lists, each with the message for the member. */
const wrongTexts: readonly (readonly [RegExp, string])[] = [
  [/^$/, "The file is empty. Export the list again and choose the new file."],
  [/^<(!doctype\s+)?html\b/i, `This is a web page, not a list file. ${chooseListText}`],
  [/^#EXTM3U/, `This is a playlist of videos, not a list of titles. ${chooseListText}`],
  [/^[^<{[]/, `This is a text or CSV file, which an import cannot read. ${chooseListText}`],
];

const unknownJsonText = `This is a JSON file of a kind that this site does not know. ${chooseListText}`;

function refuseUnreadable<File>(read: () => File | null, unknownText: string): Outcome<File> {
  try {
    const file = read();
    return file ? done(file) : refuse("invalid", unknownText);
  } catch (error) {
    if (error instanceof WrongFile) return refuse("invalid", error.message);
    if (error instanceof UnreadableFile)
      return refuse("invalid", `The file could not be read: ${error.message}`);
    throw error;
  }
}

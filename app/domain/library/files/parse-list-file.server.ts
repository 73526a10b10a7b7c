import { done, type Outcome, refuse } from "#app/domain/errors.ts";
import { type AccountFile, readAccount } from "./account-file.ts";
import { readJson, readText } from "./decode-text.server.ts";
import { readJsonList } from "./json-lists.ts";
import { type ListFile, type ListReadOptions, UnreadableFile } from "./list-records.ts";
import { readMyAnimeList } from "./myanimelist-xml.server.ts";

/** Reads an uploaded account's file, gzipped or not. */
export async function readAccountFile(bytes: Uint8Array): Promise<Outcome<AccountFile>> {
  const text = await readText(bytes);
  if (!text.ok) return text;
  const json = readJson(text.value);
  return json.ok ? refuseUnreadable(() => readAccount(json.value), "This is no account's file") : json;
}

/** Reads an uploaded list, whichever of the known files it is, gzipped or not. */
export async function readListFile(bytes: Uint8Array, options: ListReadOptions): Promise<Outcome<ListFile>> {
  const text = await readText(bytes);
  if (!text.ok) return text;
  if (text.value.trimStart().startsWith("<"))
    return refuseUnreadable(() => readMyAnimeList(text.value, options), unknownFormatText);
  const json = readJson(text.value);
  return json.ok ? refuseUnreadable(() => readJsonList(json.value, options), unknownFormatText) : json;
}

const unknownFormatText =
  "This is none of the list files we know: MyAnimeList XML, AniList JSON, our own JSON";

function refuseUnreadable<File>(read: () => File | null, otherwise: string): Outcome<File> {
  try {
    const file = read();
    return file ? done(file) : refuse("invalid", otherwise);
  } catch (error) {
    if (error instanceof UnreadableFile)
      return refuse("invalid", `The file could not be read: ${error.message}`);
    throw error;
  }
}

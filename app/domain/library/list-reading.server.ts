import { done, type Outcome, refuse } from "../errors.ts";
import { type AccountFile, readAccount } from "./account-file.ts";
import { readJson, readText } from "./file-text.server.ts";
import { type ListFile, type ReadOptions, UnreadableFile } from "./list-file.ts";
import { readJsonList } from "./list-json.ts";
import { readMyAnimeList } from "./myanimelist-xml.server.ts";

/** Reads an uploaded account's file, gzipped or not. */
export async function readAccountFile(bytes: Uint8Array): Promise<Outcome<AccountFile>> {
  const text = await readText(bytes);
  if (!text.ok) return text;
  const json = readJson(text.value);
  return json.ok ? believed(() => readAccount(json.value), "This is no account's file") : json;
}

/** Reads an uploaded list, whichever of the known files it is, gzipped or not. */
export async function readListFile(bytes: Uint8Array, options: ReadOptions): Promise<Outcome<ListFile>> {
  const text = await readText(bytes);
  if (!text.ok) return text;
  if (text.value.trimStart().startsWith("<"))
    return believed(() => readMyAnimeList(text.value, options), noKnownList);
  const json = readJson(text.value);
  return json.ok ? believed(() => readJsonList(json.value, options), noKnownList) : json;
}

const noKnownList = "This is none of the list files we know: MyAnimeList XML, AniList JSON, our own JSON";

function believed<File>(read: () => File | null, otherwise: string): Outcome<File> {
  try {
    const file = read();
    return file ? done(file) : refuse("invalid", otherwise);
  } catch (error) {
    if (error instanceof UnreadableFile)
      return refuse("invalid", `The file could not be read: ${error.message}`);
    throw error;
  }
}

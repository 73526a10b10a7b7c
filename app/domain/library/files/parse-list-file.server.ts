import { done, type Outcome, refuse } from "#app/domain/errors.ts";
import { type AccountFile, readAccount } from "./account-file.ts";
import { readJson, readText } from "./decode-text.server.ts";
import { readJsonList } from "./json-lists.ts";
import { type ListFile, type ListReadOptions, UnreadableFile } from "./list-records.ts";
import { readMyAnimeList } from "./myanimelist-xml.server.ts";

export async function readAccountFile(bytes: Uint8Array): Promise<Outcome<AccountFile>> {
  const text = await readText(bytes);
  if (!text.ok) return text;
  const json = readJson(text.value);
  return json.ok
    ? refuseUnreadable(
        () => readAccount(json.value),
        "This is not an account file. Choose a file that was exported from an account.",
      )
    : json;
}

export async function readListFile(bytes: Uint8Array, options: ListReadOptions): Promise<Outcome<ListFile>> {
  const text = await readText(bytes);
  if (!text.ok) return text;
  if (text.value.trimStart().startsWith("<"))
    return refuseUnreadable(() => readMyAnimeList(text.value, options), unknownFormatText);
  const json = readJson(text.value);
  return json.ok ? refuseUnreadable(() => readJsonList(json.value, options), unknownFormatText) : json;
}

const unknownFormatText =
  "This is not a list file that we can read. Choose a MyAnimeList XML, an AniList JSON or an Engawa JSON file.";

function refuseUnreadable<File>(read: () => File | null, unknownText: string): Outcome<File> {
  try {
    const file = read();
    return file ? done(file) : refuse("invalid", unknownText);
  } catch (error) {
    if (error instanceof UnreadableFile)
      return refuse("invalid", `The file could not be read: ${error.message}`);
    throw error;
  }
}

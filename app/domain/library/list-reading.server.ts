import { done, type Outcome, refuse } from "../errors.ts";
import { readJson, readText } from "./file-text.server.ts";
import { type ListFile, type ReadOptions, UnreadableFile } from "./list-file.ts";
import { readJsonList } from "./list-json.ts";
import { readMyAnimeList } from "./myanimelist-xml.server.ts";

/** Reads an uploaded list, whichever of the known files it is, gzipped or not. */
export async function readListFile(bytes: Uint8Array, options: ReadOptions): Promise<Outcome<ListFile>> {
  const text = await readText(bytes);
  if (!text.ok) return text;
  try {
    return text.value.trimStart().startsWith("<")
      ? done(readMyAnimeList(text.value, options))
      : readList(readJson(text.value), options);
  } catch (error) {
    if (error instanceof UnreadableFile)
      return refuse("invalid", `The list could not be read: ${error.message}`);
    throw error;
  }
}

function readList(json: Outcome<unknown>, options: ReadOptions): Outcome<ListFile> {
  if (!json.ok) return json;
  const file = readJsonList(json.value, options);
  return file
    ? done(file)
    : refuse(
        "invalid",
        "This is none of the list files we know: MyAnimeList XML, AniList JSON, our own JSON",
      );
}

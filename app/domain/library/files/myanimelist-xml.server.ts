import { SaxesParser } from "saxes";
import type { ListEntry } from "../list/entry.ts";
import {
  addFileEntry,
  chooseListText,
  type FileListStatus,
  type ListFile,
  type ListReadOptions,
  UnreadableFile,
  WrongFile,
} from "./list-records.ts";

/** Reads and writes the XML list file of MyAnimeList. */

const statusByName = new Map<string, FileListStatus>([
  ["watching", "Watching"],
  ["1", "Watching"],
  ["completed", "Completed"],
  ["2", "Completed"],
  ["on-hold", "Watching"],
  ["3", "Watching"],
  ["dropped", "Dropped"],
  ["4", "Dropped"],
  ["plan to watch", "To Watch"],
  ["6", "To Watch"],
]);

const mangaText =
  'This is a manga list from MyAnimeList, and only anime can be imported. Choose "Anime List" when MyAnimeList asks what to export, and choose that file here.';

const maxXmlDepth = 6;
const maxFieldLength = 20_000;
const collectionTag = "Collection";

export function readMyAnimeList(text: string, options: ListReadOptions): ListFile {
  const file: ListFile = { entries: [], skipped: [] };
  listParser((fields) => addFileEntry(toFileEntry(fields), options, file))
    .write(withoutDisallowed(text).trimStart())
    .close();
  return file;
}

/** Calls `onAnime` with the fields of each `<anime>`. It refuses document types, deep nesting and long fields. */
function listParser(onAnime: (fields: Map<string, string>) => void) {
  const parser = new SaxesParser({ fragment: false });
  const open: string[] = [];
  let fields = new Map<string, string>();
  const addText = (text: string) => {
    const name = open[2];
    if (open.length !== 3 || name === undefined) return;
    const value = (fields.get(name) ?? "") + text;
    if (value.length > maxFieldLength) throw new UnreadableFile(`${name} is too long`);
    fields.set(name, value);
  };
  parser.on("error", (error) => {
    throw new UnreadableFile(error.message);
  });
  parser.on("doctype", () => {
    throw new UnreadableFile("it has a DOCTYPE, which list files must not have");
  });
  parser.on("opentag", ({ name }) => {
    open.push(name);
    if (open.length > maxXmlDepth) throw new UnreadableFile("its tags are nested too deeply");
    if (open.length === 1 && name !== "myanimelist")
      throw new WrongFile(
        `This is an XML file with <${name.slice(0, 40)}>, not a MyAnimeList export. ${chooseListText}`,
      );
    if (open.length === 2 && name === "manga") throw new WrongFile(mangaText);
    if (open.length === 2) fields = new Map();
  });
  parser.on("text", addText);
  parser.on("cdata", addText);
  parser.on("closetag", ({ name }) => {
    if (open.length === 2 && name === "anime") onAnime(fields);
    // An export of an empty manga list has no <manga>.
    if (open.length === 2 && name === "myinfo" && fields.get("user_export_type")?.trim() === "2")
      throw new WrongFile(mangaText);
    open.pop();
  });
  return parser;
}

function toFileEntry(fields: Map<string, string>) {
  const field = (name: string) => fields.get(name)?.trim() ?? "";
  const tags = field("my_tags").split(",");
  const isCollection = tags.some((tag) => tag.trim() === collectionTag);
  return {
    malId: field("series_animedb_id"),
    title: field("series_title") || null,
    status: isCollection
      ? ("Collection" as const)
      : (statusByName.get(field("my_status").toLowerCase()) ?? null),
    progress: field("my_watched_episodes"),
    // MyAnimeList writes 0 for "no score".
    score: Number(field("my_score")) || null,
    notes: fields.get("my_comments") ?? "",
    startedOn: field("my_start_date"),
    finishedOn: field("my_finish_date"),
  };
}

type ExportedEntry = ListEntry & { title: string; titleType: string | null; episodes: number | null };

const statusNames: Record<ListEntry["type"], string> = {
  "To Watch": "Plan to Watch",
  Collection: "Plan to Watch",
  Watching: "Watching",
  Completed: "Completed",
};

export const myAnimeListHead = `<?xml version="1.0" encoding="UTF-8"?>\n<myanimelist>\n<myinfo><user_export_type>1</user_export_type></myinfo>\n`;
export const myAnimeListTail = "</myanimelist>\n";

export const animeTag = (entry: ExportedEntry) => `<anime>
<series_animedb_id>${entry.malId}</series_animedb_id>
<series_title>${escaped(entry.title)}</series_title>
<series_type>${escaped(entry.titleType ?? "")}</series_type>
<series_episodes>${entry.episodes ?? 0}</series_episodes>
<my_watched_episodes>${entry.progress}</my_watched_episodes>
<my_start_date>${entry.startedOn ?? "0000-00-00"}</my_start_date>
<my_finish_date>${entry.finishedOn ?? "0000-00-00"}</my_finish_date>
<my_score>${Math.round(entry.score ?? 0)}</my_score>
<my_status>${statusNames[entry.type]}</my_status>
<my_comments>${escaped(entry.notes)}</my_comments>
<my_tags>${entry.type === "Collection" ? collectionTag : ""}</my_tags>
<update_on_import>1</update_on_import>
</anime>
`;

// biome-ignore lint/suspicious/noControlCharactersInRegex: XML 1.0, section 2.2, does not allow these characters.
const disallowed = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g;
const isDisallowed = (code: number) =>
  !(code <= 0x10ffff) ||
  String.fromCodePoint(code).search(disallowed) === 0 ||
  (code >= 0xd800 && code <= 0xdfff);

/**
 * MyAnimeList exports comments as members typed them. A parser refuses the whole document for one such character, or for a
 * reference to one. In a CDATA section a reference is plain text.
 */
const withoutDisallowed = (text: string) =>
  outsideCdata(text.replace(disallowed, ""), (part) =>
    part.replace(/&#(?:x([0-9a-f]+)|(\d+));/gi, (found, hex?: string, decimal?: string) =>
      isDisallowed(hex === undefined ? Number(decimal) : Number.parseInt(hex, 16)) ? "" : found,
    ),
  );

/** A regular expression for the sections would take hours for a file with many that do not end. */
function outsideCdata(text: string, change: (part: string) => string): string {
  const parts: string[] = [];
  for (let at = 0; ; ) {
    const start = text.indexOf("<![CDATA[", at);
    const end = start < 0 ? -1 : text.indexOf("]]>", start);
    if (end < 0) return parts.join("") + change(text.slice(at));
    parts.push(change(text.slice(at, start)), text.slice(start, end));
    at = end;
  }
}

/** XML parsers turn a bare carriage return into a line feed (XML 1.0, section 2.11), so it is written as a reference. */
const escaped = (text: string) =>
  text
    .replace(disallowed, "")
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll("\r", "&#13;");

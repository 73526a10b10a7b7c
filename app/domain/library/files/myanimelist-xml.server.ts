import { SaxesParser } from "saxes";
import { type EntryStatus, type ListEntry, statusOf } from "../list/entry.ts";
import { progressOf } from "../list/ticks.ts";
import {
  addFileEntry,
  chooseListText,
  collection,
  collectionTag,
  exportedTags,
  type ListTaker,
  oversizedFile,
  type Standing,
  unreadableFile,
  wrongFile,
} from "./list-records.ts";

/** Reads and writes the XML list file of MyAnimeList. */

const standingByStatus = new Map<string, Standing>([
  ["watching", { type: "Watching" }],
  ["1", { type: "Watching" }],
  ["completed", { type: "Completed" }],
  ["2", { type: "Completed" }],
  ["on-hold", { type: "Watching", state: "on_hold" }],
  ["3", { type: "Watching", state: "on_hold" }],
  ["dropped", { type: "Collection", state: "dropped" }],
  ["4", { type: "Collection", state: "dropped" }],
  ["plan to watch", { type: "To Watch" }],
  ["6", { type: "To Watch" }],
]);

const mangaText =
  'This is a manga list from MyAnimeList, and only anime can be imported. Choose "Anime List" when MyAnimeList asks what to export, and choose that file here.';

const maxXmlDepth = 6;
const maxFieldLength = 20_000;
/** Longer than in any real list. The parser keeps a text, tag or comment in memory until its end. */
const maxTokenLength = 1_000_000;
/** More than an entry of any list has. */
const maxFields = 1000;

/** Reads the text part by part, so that its length is not limited by memory. */
export function readMyAnimeList(parts: Iterable<string>, list: ListTaker) {
  const parser = listParser((fields) => addFileEntry(toFileEntry(fields), list));
  const cleanPart = createCleaner();
  let hasBegun = false;
  const write = (part: string) => {
    const clean = hasBegun ? part : part.trimStart();
    hasBegun ||= clean !== "";
    parser.write(clean);
  };
  // Parts are cut after a ">". No reference and no CDATA delimiter has a ">" before its last character, so none is cut
  // in half.
  let rest = "";
  for (const part of parts) {
    const text = rest + part;
    const end = text.lastIndexOf(">") + 1;
    write(cleanPart(text.slice(0, end)));
    rest = text.slice(end);
    if (rest.length > maxTokenLength) parser.refuseToken();
  }
  write(cleanPart(rest));
  parser.close();
}

/**
 * Calls `onAnime` with the fields of each `<anime>`. Refuses document types, deep nesting, and long fields and tokens.
 */
function listParser(onAnime: (fields: Map<string, string>) => void) {
  const parser = new SaxesParser({ fragment: false });
  const open: string[] = [];
  let fields = new Map<string, string>();
  /** The number of characters read since the end of the last token. */
  let tokenLength = 0;
  const refuseToken = () => {
    throw open.length === 3 ? unreadableFile(`${open[2]} is too long`) : oversizedFile();
  };
  const endToken = () => {
    tokenLength = 0;
  };
  const addText = (text: string) => {
    endToken();
    const name = open[2];
    if (open.length !== 3 || name === undefined) return;
    const value = (fields.get(name) ?? "") + text;
    if (value.length > maxFieldLength) throw unreadableFile(`${name} is too long`);
    fields.set(name, value);
  };
  parser.on("comment", endToken);
  parser.on("processinginstruction", endToken);
  parser.on("error", (error) => {
    throw unreadableFile(error.message);
  });
  parser.on("doctype", () => {
    throw unreadableFile("it has a DOCTYPE, which list files must not have");
  });
  parser.on("opentag", ({ name }) => {
    endToken();
    open.push(name);
    if (open.length === 3 && fields.size > maxFields) throw oversizedFile();
    if (open.length > maxXmlDepth) throw unreadableFile("its tags are nested too deeply");
    if (open.length === 1 && name !== "myanimelist")
      throw wrongFile(
        `This is an XML file with <${name.slice(0, 40)}>, not a MyAnimeList export. ${chooseListText}`,
      );
    if (open.length === 2 && name === "manga") throw wrongFile(mangaText);
    if (open.length === 2) fields = new Map();
  });
  parser.on("text", addText);
  parser.on("cdata", addText);
  parser.on("closetag", ({ name }) => {
    endToken();
    if (open.length === 2 && name === "anime") onAnime(fields);
    // An export of an empty manga list has no <manga>.
    if (open.length === 2 && name === "myinfo" && fields.get("user_export_type")?.trim() === "2")
      throw wrongFile(mangaText);
    open.pop();
  });
  return {
    refuseToken,
    write(text: string) {
      tokenLength += text.length;
      parser.write(text);
      if (tokenLength > maxTokenLength) refuseToken();
    },
    close: () => parser.close(),
  };
}

function toFileEntry(fields: Map<string, string>) {
  const field = (name: string) => fields.get(name)?.trim() ?? "";
  const { isCollection, tags } = readTags(field("my_tags"), field("my_status"));
  return {
    malId: field("series_animedb_id"),
    title: field("series_title") || null,
    ...(isCollection ? collection : readStanding(fields)),
    ...readEpisodes(fields),
    rewatchCount: field("my_times_watched"),
    // MyAnimeList writes 0 for "no score".
    score: Number(field("my_score")) || null,
    notes: fields.get("my_comments") ?? "",
    tags,
    startedOn: field("my_start_date"),
    finishedOn: field("my_finish_date"),
  };
}

const isRewatching = (fields: Map<string, string>) => fields.get("my_rewatching")?.trim() === "1";

function readStanding(fields: Map<string, string>): Standing | { type: null } {
  if (isRewatching(fields)) return { type: "Watching", state: "rewatching" };
  return standingByStatus.get(fields.get("my_status")?.trim().toLowerCase() ?? "") ?? { type: null };
}

/** Programs that do not write `my_rewatching_ep` write the episodes of the rewatch into the watched episodes. */
function readEpisodes(fields: Map<string, string>) {
  const watched = fields.get("my_watched_episodes");
  const rewatched = fields.get("my_rewatching_ep");
  const all = fields.get("series_episodes");
  if (!isRewatching(fields) || rewatched !== undefined || Number(watched) >= Number(all))
    return { progress: watched, rewatchProgress: rewatched };
  return { progress: all, rewatchProgress: watched };
}

function readTags(text: string, status: string) {
  const tags = text.split(",").map((tag) => tag.trim());
  const marker =
    standingByStatus.get(status.toLowerCase())?.type === "To Watch" ? tags.indexOf(collectionTag) : -1;
  return { isCollection: marker >= 0, tags: tags.filter((_, index) => index !== marker) };
}

type ExportedEntry = ListEntry & { title: string; titleType: string | null; episodes: number | null };

const statusNames: Record<EntryStatus, string> = {
  "To Watch": "Plan to Watch",
  Collection: "Plan to Watch",
  Watching: "Watching",
  Completed: "Completed",
  on_hold: "On-Hold",
  dropped: "Dropped",
  rewatching: "Completed",
};

export const myAnimeListHead = `<?xml version="1.0" encoding="UTF-8"?>\n<myanimelist>\n<myinfo><user_export_type>1</user_export_type></myinfo>\n`;
export const myAnimeListTail = "</myanimelist>\n";

export const animeTag = (entry: ExportedEntry) => `<anime>
<series_animedb_id>${entry.malId}</series_animedb_id>
<series_title>${escaped(entry.title)}</series_title>
<series_type>${escaped(entry.titleType ?? "")}</series_type>
<series_episodes>${entry.episodes ?? 0}</series_episodes>
<my_watched_episodes>${progressOf(entry.ticks)}</my_watched_episodes>
<my_start_date>${entry.startedOn ?? "0000-00-00"}</my_start_date>
<my_finish_date>${entry.finishedOn ?? "0000-00-00"}</my_finish_date>
<my_score>${Math.round(entry.score ?? 0)}</my_score>
<my_status>${statusNames[statusOf(entry)]}</my_status>
<my_times_watched>${entry.rewatchCount}</my_times_watched>
<my_rewatching>${entry.state === "rewatching" ? 1 : 0}</my_rewatching>
<my_rewatching_ep>${entry.rewatchProgress}</my_rewatching_ep>
<my_comments>${escaped(entry.notes)}</my_comments>
<my_tags>${escaped(exportedTags(entry).join(","))}</my_tags>
<update_on_import>1</update_on_import>
</anime>
`;

// biome-ignore lint/suspicious/noControlCharactersInRegex: XML 1.0, section 2.2, does not allow these characters.
const disallowed = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g;
const isDisallowed = (code: number) =>
  !(code <= 0x10ffff) ||
  String.fromCodePoint(code).search(disallowed) === 0 ||
  (code >= 0xd800 && code <= 0xdfff);

const cdataBegin = "<![CDATA[";
const cdataEnd = "]]>";

/**
 * MyAnimeList exports comments as members typed them. One disallowed character, or a reference to one, would make a
 * parser refuse the whole document, so both are removed. In a CDATA section a reference is plain text. Each part
 * continues the previous part's text.
 */
function createCleaner() {
  let isCdata = false;
  return (part: string): string => {
    const text = part.replace(disallowed, "");
    const cleaned: string[] = [];
    for (let at = 0; at < text.length; ) {
      const marker = isCdata ? cdataEnd : cdataBegin;
      const markerAt = text.indexOf(marker, at);
      const end = markerAt < 0 ? text.length : markerAt + marker.length;
      const section = text.slice(at, end);
      cleaned.push(isCdata ? section : withoutReferences(section));
      if (markerAt >= 0) isCdata = !isCdata;
      at = end;
    }
    return cleaned.join("");
  };
}

const withoutReferences = (text: string) =>
  text.replace(/&#(?:x([0-9a-f]+)|(\d+));/gi, (found, hex?: string, decimal?: string) =>
    isDisallowed(hex === undefined ? Number(decimal) : Number.parseInt(hex, 16)) ? "" : found,
  );

/**
 * XML parsers turn a bare carriage return into a line feed (XML 1.0, section 2.11), so it is written as a reference.
 */
const escaped = (text: string) =>
  text
    .replace(disallowed, "")
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll("\r", "&#13;");

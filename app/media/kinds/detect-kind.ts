import { isUtf8 } from "node:buffer";
import { extensionOf, isPlaylistPath, playableTypes, unknownType } from "#app/platform/media-types.ts";
import { utf16Of } from "../film/utf16-mark.ts";
import { isJsonLabel, startsUrlList } from "../hls/url-list-kinds.ts";

/**
 * Detects what an upstream's bytes are, whatever its Content-Type says. A browser runs what we send under our own
 * origin, so documents and scripts are refused, and detected media gets its correct Content-Type.
 */

const keyBytes = 16;

/** `url list`: JSON that contains more URLs to rewrite. */
type MediaKind = "playlist" | "url list" | "document" | "DASH manifest" | { type: string };

type MediaClues = {
  /** The upstream's Content-Type. */
  label: string | undefined;
  /** Paths of the requested URL and of the URL after redirects. */
  paths: readonly string[];
  /** The first bytes of the file; undefined for HEAD and for a range from the middle. */
  head: Uint8Array | undefined;
  /** The head is that of a range which ends within `headBytes`. Safari first asks for two bytes, and trusts the type. */
  isCut?: boolean;
  /**
   * Set only for a file that a playlist with a key names: the first bytes that arrived of any part of it, and whether
   * they are the whole file. Such files often have the Content-Type of a document or a script.
   */
  encrypted?: { bytes: Uint8Array; isWhole: boolean } | undefined;
};

/** These bytes suffice for the sync bytes of several transport stream packets, an ID3 header or a document's first tag. */
export const headBytes = 3 * 188 + 1;

export function detectKind({ label, paths, head, isCut = false, encrypted }: MediaClues): MediaKind {
  const labelled = label?.split(";")[0]?.trim().toLowerCase() ?? "";
  const isCiphertext = encrypted !== undefined && !isText(encrypted.bytes, encrypted.isWhole);
  const claimedType = isCiphertext && isDocument(labelled) ? "" : labelled;
  if (!head) return detectKindWithoutBytes(claimedType, paths);
  const seen = sniff(head);
  if (seen === "playlist") return seen;
  if (seen === "video/x-matroska" && webmTypes.includes(claimedType) && endsBeforeDocumentType(head))
    return { type: claimedType };
  if (seen !== undefined) return { type: sharesContainer(claimedType, seen) ? claimedType : seen };
  // An AES-128 key is 16 random bytes, which can look like the start of a document and must not be refused.
  if (head.length === keyBytes) return { type: unknownType };
  if (isDocument(claimedType) || (looksLikeDocument(head) && !isCiphertext))
    return kindOfDocument(claimedType, paths, head);
  if (isJsonLabel(claimedType) && startsUrlList(asText(head))) return "url list";
  if (isClaimedPlaylist(claimedType, paths) && /^\s*(?:#|https?:\/\/)/i.test(asText(head))) return "playlist";
  if (isMedia(claimedType)) return { type: claimedType };
  return { type: (isCut ? typeOfName(paths) : undefined) ?? unknownType };
}

function detectKindWithoutBytes(named: string, paths: readonly string[]): MediaKind {
  if (isClaimedPlaylist(named, paths)) return "playlist";
  if (isJsonLabel(named)) return "url list";
  if (isNamedDash(named, paths)) return "DASH manifest";
  if (isMedia(named)) return { type: named };
  const byName = typeOfName(paths);
  if (byName) return { type: byName };
  return isDocument(named) ? "document" : { type: unknownType };
}

const typeOfName = (paths: readonly string[]) =>
  paths.map((path) => playableTypes.get(extensionOf(path))).find(Boolean);

const isNamedDash = (named: string, paths: readonly string[]) =>
  dashTypes.has(named) || paths.some((path) => extensionOf(path) === "mpd");
const dashTypes: ReadonlySet<string> = new Set(["application/dash+xml", "video/vnd.mpeg.dash.mpd"]);

const kindOfDocument = (named: string, paths: readonly string[], head: Uint8Array) =>
  isNamedDash(named, paths) || /<(?:[\w-]+:)?MPD[\s/>]/.test(asText(head)) ? "DASH manifest" : "document";

/**
 * The container does not show whether it holds audio or video, so the Content-Type chooses among the types it allows.
 */
const sharesContainer = (named: string, seen: string) =>
  isMedia(named) && (containers.find((types) => types.includes(seen))?.includes(named) ?? false);
const webmTypes: readonly string[] = ["video/webm", "audio/webm"];
const containers: readonly (readonly string[])[] = [
  ["video/mp4", "audio/mp4", "application/mp4", "video/iso.segment", "audio/iso.segment", "video/quicktime"],
  webmTypes,
  ["video/x-matroska", "audio/x-matroska"],
  ["application/ogg", "audio/ogg", "video/ogg"],
  ["audio/mpeg", "audio/aac", "audio/mp3", "audio/ac3", "audio/eac3", "audio/x-aac"],
  ["audio/wav", "audio/x-wav", "audio/wave"],
];

const isClaimedPlaylist = (named: string, paths: readonly string[]) =>
  /^(?:application|audio|video)\/(?:vnd\.apple\.|x-)?mpegurl$/.test(named) || paths.some(isPlaylistPath);

/** Types that a browser can only play, never run. Playlists are handled before this. */
const isMedia = (named: string) =>
  /^(?:video|audio)\/[\w.+-]+$/.test(named)
    ? !named.includes("mpegurl") && !isDocument(named)
    : named === "text/vtt" || named === "application/mp4";

const isDocument = (named: string) =>
  /(?:^|[/+.-])(?:html|xhtml|xml|svg|javascript|ecmascript|wasm|xslt?)(?:$|[+.-])/.test(named);

function sniff(head: Uint8Array): string | undefined {
  const text = asText(head);
  if (/^\s*#EXTM3U/.test(text)) return "playlist";
  if (/^WEBVTT(?:[ \t\r\n]|$)/.test(text)) return "text/vtt";
  return (
    transportStream(head) ??
    fragmentedOrMp4(head) ??
    matroska(head) ??
    adts(head) ??
    signatures.find(({ at, bytes }) => bytes.every((byte, i) => head[at + i] === byte))?.type
  );
}

const ascii = (text: string) => [...text].map((character) => character.charCodeAt(0));
const signatures: readonly { at: number; bytes: readonly number[]; type: string }[] = [
  { at: 0, bytes: ascii("ID3"), type: "audio/mpeg" },
  { at: 0, bytes: ascii("OggS"), type: "application/ogg" },
  { at: 0, bytes: ascii("fLaC"), type: "audio/flac" },
  { at: 8, bytes: ascii("WAVEfmt "), type: "audio/wav" },
];

/** Packets of 188 bytes that begin with 0x47 (ISO/IEC 13818-1, 2.4.3.2). Blu-ray puts 4 bytes before each packet. */
function transportStream(head: Uint8Array): string | undefined {
  const isPacketed = (at: number, length: number) => {
    if (head.length <= at + length) return false;
    for (; at < head.length; at += length) if (head[at] !== 0x47) return false;
    return true;
  };
  return isPacketed(0, 188) || isPacketed(4, 192) ? "video/mp2t" : undefined;
}

const boxes = new Set([
  "ftyp",
  "styp",
  "moov",
  "moof",
  "sidx",
  "emsg",
  "prft",
  "mdat",
  "free",
  "skip",
  "wide",
]);

/** A plausible box length, then a box type that may come first (ISO/IEC 14496-12). */
function fragmentedOrMp4(head: Uint8Array): string | undefined {
  if (head.length < 8 || !boxes.has(latin(head.subarray(4, 8)))) return undefined;
  const length = new DataView(head.buffer, head.byteOffset).getUint32(0);
  if (length !== 0 && length !== 1 && length < 8) return undefined;
  const brand = latin(head.subarray(8, 12));
  if (brand.startsWith("M4A")) return "audio/mp4";
  return brand === "qt  " ? "video/quicktime" : "video/mp4";
}

/** The document type stands within these bytes. */
const ebmlHeaderBytes = 64;

/** An EBML header; one of its first elements holds the document type. */
function matroska(head: Uint8Array): string | undefined {
  if (head[0] !== 0x1a || head[1] !== 0x45 || head[2] !== 0xdf || head[3] !== 0xa3) return undefined;
  return latin(head.subarray(0, ebmlHeaderBytes)).includes("webm") ? "video/webm" : "video/x-matroska";
}

/** True if the head is too short to show whether the container is Matroska or WebM, as for `Range: bytes=0-9`. */
function endsBeforeDocumentType(head: Uint8Array): boolean {
  const header = latin(head.subarray(0, ebmlHeaderBytes));
  const at = header.indexOf("\x42\x82");
  if (at < 0) return head.length < ebmlHeaderBytes;
  const textAt = at + 3;
  const length = header.charCodeAt(at + 2) & 0x7f;
  return header.length < textAt + length;
}

/** AAC frames, with or without an ID3 tag before them. The next frame must begin where the first one ends. */
function adts(head: Uint8Array): string | undefined {
  const start = id3Length(head);
  const isFrame = (at: number) => head[at] === 0xff && ((head[at + 1] ?? 0) & 0xf6) === 0xf0;
  if (!isFrame(start) || head.length < start + 6) return undefined;
  const [high = 0, middle = 0, low = 0] = head.subarray(start + 3, start + 6);
  const length = ((high & 3) << 11) | (middle << 3) | (low >> 5);
  const next = start + length;
  return length >= 7 && (next + 1 >= head.length || isFrame(next)) ? "audio/aac" : undefined;
}

function id3Length(head: Uint8Array): number {
  if (latin(head.subarray(0, 3)) !== "ID3" || head.length < 10) return 0;
  const [a = 0, b = 0, c = 0, d = 0] = head.subarray(6, 10);
  return 10 + ((a << 21) | (b << 14) | (c << 7) | d);
}

const tagOfDocument =
  /^\s*<(?:!doctype|!--|!\[cdata|!entity|\?xml|\?php|%|(?:[a-z][\w.-]*:)?[a-z][a-z0-9-]*(?:[\s>/]|$))/i;
const startOfScript =
  /^\s*(?:#!|\/\*|\/\/|["']use strict["']|\(?\(?(?:async\s+)?function\b|!function|\(\s*\(|(?:var|let|const|class|import|export|window|document|self|globalThis)\b[\s.[{*(])/;

function looksLikeDocument(head: Uint8Array): boolean {
  const text = asText(head);
  if (tagOfDocument.test(text)) return true;
  return startOfScript.test(text) && !text.includes("\0");
}

/** Among this many encrypted bytes there is almost always a control character that no text contains. */
const minTextBytes = 64;
const textControls: ReadonlySet<number> = new Set(ascii("\t\n\f\r\x1b"));

/**
 * Whether these bytes can be text (MIME Sniffing, section 3). Fewer bytes are text only if they are a whole file in
 * UTF-8, or begin like a document: too few bytes of a larger file show nothing.
 */
function isText(bytes: Uint8Array, isWhole: boolean): boolean {
  if (utf16Of(bytes)) return looksLikeDocument(bytes);
  if (!bytes.every((byte) => byte >= 0x20 || textControls.has(byte))) return false;
  return (
    bytes.length >= minTextBytes || looksLikeDocument(bytes) || (isWhole && bytes.length > 0 && isUtf8(bytes))
  );
}

/** UTF-8, or UTF-16 if a byte order mark says so. A character cut off at the end does not matter here. */
const asText = (head: Uint8Array) => new TextDecoder(utf16Of(head) ?? "utf-8").decode(head);

const latin = (bytes: Uint8Array) => String.fromCharCode(...bytes);

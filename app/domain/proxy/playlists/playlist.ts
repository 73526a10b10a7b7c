import {
  costPerAttribute,
  costPerTag,
  costPerUrl,
  createCharacterBudget,
  type Spend,
} from "#app/media/hls/playlist-budget.ts";
import { isMultivariantPlaylist } from "#app/media/hls/playlist-kinds.ts";
import {
  attributePattern,
  defineTag,
  definitionsOf,
  noVariables,
  substitute,
  type Variables,
} from "#app/media/hls/playlist-variables.ts";
import { playableTypes } from "#app/platform/media-types.ts";
import { proxyPath, proxyUrl, type SignUrl } from "../addresses/proxy-url.ts";

/**
 * Rewrites HLS playlists as text (RFC 8216bis): every URL is pointed to the proxy, and every other character is
 * unchanged, except white space before a line. There is no I/O, so that property tests can check it.
 */

/**
 * Turns every URL in `text` into a proxy URL. `base` is the URL of the playlist after all redirects; `variables` are
 * those of its parent, for EXT-X-DEFINE:IMPORT. Throws `PlaylistTooLargeError`.
 */
export function rewritePlaylist(
  text: string,
  base: string,
  variables: Variables,
  sign: SignUrl | undefined,
  spend = createCharacterBudget(),
): string {
  const defined = definitionsOf(text, base, variables, spend);
  const isMultivariant = isMultivariantPlaylist(text);
  const onUriLines = isMultivariant ? defined : noVariables;
  const playlist: Rewriting = {
    toProxyUrl: createUrlWriter({ base, defined, sign, spend }),
    spend,
    defined,
    inherited: isMultivariant ? defined : variables,
    // A delta update can leave out the key of its first segments (RFC 8216bis, 6.2.5.1).
    mark: text.includes(skipTag) ? encryptedMark : "",
  };
  const folderUrl = sign || onUriLines.size > 0 ? undefined : resolve(".", base);
  const proxiedFolder = folderUrl && `${proxyPath}?url=${encodeURIComponent(folderUrl)}`;
  const hasAttributes = playlist.mark !== "" || rewritable.test(text);
  const endOfLine = text.includes("\r") && loneCarriageReturn.test(text) ? endOfAnyLine : endOfUsualLine;

  // Join once at the end: V8 keeps a string grown with += as a rope of thousands of parts and flattens it later.
  const pieces: string[] = [];
  let copied = 0;
  let start = text.startsWith(byteOrderMark) ? byteOrderMark.length : 0;
  for (let end = 0; start < text.length; start = end + 1) {
    end = endOfLine(text, start);
    if (text.charCodeAt(start) === hash) {
      if (!hasAttributes || text.startsWith("#EXTINF", start)) continue;
      pieces.push(text.slice(copied, start), rewriteTag(text.slice(start, end), playlist));
      copied = end;
    } else if (proxiedFolder !== undefined && playlist.mark === "" && isBare(text, start, end)) {
      spend(proxiedFolder.length + end - start);
      pieces.push(text.slice(copied, start), proxiedFolder);
      copied = start;
    } else {
      const line = text.slice(start, end);
      const content = line.trim();
      if (content === "") continue;
      // White space and byte order marks must not precede a line (RFC 8216bis, 4.1). Some players skip them, others
      // read such a tag as a URL and fetch it. Without them, all players read the same line.
      pieces.push(
        text.slice(copied, start),
        content.startsWith("#")
          ? rewriteTag(content, playlist)
          : isMultivariant
            ? playlist.toProxyUrl(content, onUriLines)
            : toSegmentUrl(content, playlist, noVariables),
      );
      copied = start + line.indexOf(content) + content.length;
    }
  }
  pieces.push(text.slice(copied));
  return pieces.join("");
}

type Rewriting = {
  /**
   * Substitutes variables in `uri` and returns its proxy URL. `variables` are those that the playlist at `uri` may
   * import.
   */
  toProxyUrl: (uri: string, variables: Variables) => string;
  spend: Spend;
  /** The variables of this playlist. */
  defined: Variables;
  /** The variables that child playlists may import. */
  inherited: Variables;
  /** For the proxy URLs of segments: `encryptedMark` after a tag with a key, otherwise empty. */
  mark: string;
};

/**
 * Tells the proxy that a segment is encrypted: its Content-Type says nothing then, and its bytes can look like the
 * start of a document. The mark needs no signature: a response that it lets through gets a type that no browser runs,
 * and text is refused with and without it.
 */
const encryptedMark = "&encrypted=1";
const keyTag = "#EXT-X-KEY:";
const skipTag = "#EXT-X-SKIP:";
const withoutKey = /[:,]\s*METHOD\s*=\s*"?NONE\b/;
/** Tags that hold the URL of a segment or of a part of a segment. */
const segmentTag = /^#EXT-X-(?:MAP|PART|PRELOAD-HINT):/;
/** The extensions of the path in the `url` parameter and of the whole parameter. */
const extensionsInUrl = /\.[a-z0-9]{1,5}(?=%3F|&|$)/gi;

/** A script's name can hide the segment's own, as in `seg.php?file=1.ts`. */
const isPlayable = (extension: string) => playableTypes.has(extension.slice(1).toLowerCase());

/** ffmpeg plays only segments whose address ends with an extension that it knows, so parameters end with it too. */
function toSegmentUrl(uri: string, playlist: Rewriting, variables: Variables): string {
  const url = playlist.toProxyUrl(uri, variables);
  if (!url.startsWith(proxyPath)) return url;
  const extensions: string[] = url.match(extensionsInUrl) ?? [];
  const extension = extensions.find(isPlayable) ?? extensions[0] ?? "";
  if (playlist.mark !== "") return url + playlist.mark + extension;
  return url.endsWith(extension) ? url : `${url}&ext=${extension}`;
}

const hash = 35;
const byteOrderMark = "\uFEFF";
const loneCarriageReturn = /\r(?!\n)/;
/** Every tag that can hold a URL contains one of these. */
const rewritable = /URI|X-ASSET-LIST|QUERYPARAM|PREFETCH:/;
const uriAttributes: ReadonlySet<string> = new Set([
  "URI",
  "SERVER-URI",
  "X-URI",
  "X-ASSET-URI",
  "X-ASSET-LIST",
]);
/** Tags that link to another playlist of the same presentation. */
const childTag = /^#EXT-X-(?:MEDIA|(?:I-FRAME-|IMAGE-)?STREAM-INF|RENDITION-REPORT):/;
/**
 * LHLS and live services announce a future segment with this tag; the rest of the line is its URL, without attributes.
 */
const prefetchTag = /^#EXT-X-(?:TWITCH-)?PREFETCH:/;
function endOfUsualLine(text: string, start: number): number {
  const end = text.indexOf("\n", start);
  return end < 0 ? text.length : end;
}

/** Some old playlists end their lines with a lone CR. */
function endOfAnyLine(text: string, start: number): number {
  let end = start;
  while (end < text.length && text[end] !== "\n" && text[end] !== "\r") end++;
  return end;
}

function rewriteTag(line: string, playlist: Rewriting): string {
  playlist.spend(costPerTag);
  if (line.startsWith(keyTag)) playlist.mark = withoutKey.test(line) ? "" : encryptedMark;
  if (!rewritable.test(line)) return line;
  const [prefetch] = prefetchTag.exec(line) ?? [];
  if (prefetch !== undefined) {
    const rest = line.slice(prefetch.length);
    const uri = rest.trim();
    return uri === "" ? line : prefetch + rest.replace(uri, () => toSegmentUrl(uri, playlist, noVariables));
  }
  const variables = childTag.test(line) ? playlist.inherited : noVariables;
  const isDefinition = line.startsWith(defineTag);
  const isSegment = segmentTag.test(line);
  return line.replace(
    attributePattern,
    (whole, before: string, name: string, equals: string, value: string) => {
      playlist.spend(costPerAttribute);
      const isQuoted = value.startsWith('"');
      const content = isQuoted ? value.slice(1, -1) : value;
      if (isDefinition && name === "QUERYPARAM") {
        const definition = playlist.defined.get(content);
        if (definition === undefined) return whole;
        // One long value can be named by thousands of attributes.
        playlist.spend(definition.length);
        return `${before}NAME="${content}",VALUE="${quotable(definition)}"`;
      }
      if (!uriAttributes.has(name) || content === "") return whole;
      const url = isSegment
        ? toSegmentUrl(content, playlist, variables)
        : playlist.toProxyUrl(content, variables);
      return `${before}${name}${equals}${isQuoted ? `"${url}"` : url}`;
    },
  );
}

/**
 * A quoted string must not contain quotes or line breaks (RFC 8216bis, 4.2). Some players would substitute a reference
 * in the value of a definition.
 */
const quotable = (value: string) => value.replace(/["\r\n]|\{(?=\$)/g, encodeURIComponent);

/** Whether the line is a plain file name, so that resolving and encoding it as a URL would not change it. */
function isBare(text: string, start: number, end: number): boolean {
  const last = text.charCodeAt(end - 1) === carriageReturn ? end - 1 : end;
  if (last <= start || text.charCodeAt(start) === dot) return false;
  for (let at = start; at < last; at++) if (bareCharacters[text.charCodeAt(at)] !== 1) return false;
  return true;
}
const bareCharacters = new Uint8Array(128);
for (const character of "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_.~-")
  bareCharacters[character.charCodeAt(0)] = 1;
const carriageReturn = 13;
const dot = 46;

/** A last path segment, with or without a query, that URL resolution does not change. */
const plainName = /^[A-Za-z0-9_~-][A-Za-z0-9_.~-]*(\?[A-Za-z0-9_.~=&%/+:,;@$!*()-]*)?$/;

/**
 * A playlist can list thousands of files of one folder. Resolving and encoding each URL would dominate the rewriting,
 * so the folder is resolved and encoded once and plain file names are appended to it.
 */
function createUrlWriter({ base, defined, sign, spend }: Writing): Rewriting["toProxyUrl"] {
  let folder: string | undefined;
  let encodedFolder: string | undefined;

  function write(uri: string, variables: Variables): string | undefined {
    const query = uri.indexOf("?");
    const slash = uri.lastIndexOf("/", query < 0 ? uri.length : query) + 1;
    const name = uri.slice(slash);
    const plain = sign || variables.size > 0 ? null : plainName.exec(name);
    if (plain && (folder?.length !== slash || !uri.startsWith(folder))) {
      spend(base.length + costPerUrl);
      folder = uri.slice(0, slash);
      const resolved = resolve(folder === "" ? "." : folder, base);
      encodedFolder = resolved?.endsWith("/") ? encodeURIComponent(resolved) : undefined;
    }
    if (plain && encodedFolder !== undefined)
      return `${proxyPath}?url=${encodedFolder}${plain[1] ? encodeURIComponent(name) : name}`;
    spend(base.length + uri.length + costPerUrl);
    const resolved = resolve(uri, base);
    if (resolved !== undefined) return proxyUrl(resolved, variables, sign);
    if (isForeign(uri)) return undefined;
    // An unparsable URL goes to the proxy too, which refuses it; otherwise the player would request it directly. The
    // parser's exception makes such a URL expensive, hence the higher cost.
    spend(5 * costPerUrl);
    return proxyUrl(uri, variables, sign);
  }

  return (uri, variables) => {
    const substituted = substitute(uri, defined);
    // A URI whose variables are all empty names no file. As a relative URL it would name this playlist.
    if (substituted === "") return "";
    const url = write(substituted, variables) ?? uri;
    spend(url.length);
    return url;
  };
}

type Writing = { base: string; defined: Variables; sign: SignUrl | undefined; spend: Spend };

/** The proxy URL for a URL found outside of a playlist. */
export function proxyUrlOfUri(uri: string, base: string, sign: SignUrl | undefined): string {
  const resolved = resolve(uri, base);
  return resolved === undefined && isForeign(uri) ? uri : proxyUrl(resolved ?? uri, noVariables, sign);
}

/** URLs of other schemes (data:, skd:, urn:) stay unchanged; the player handles them without the proxy. */
const isForeign = (uri: string) => /^[A-Za-z][A-Za-z0-9+.-]*:/.test(uri) && !/^https?:/i.test(uri);

function resolve(uri: string, base: string): string | undefined {
  // Not `URL.canParse`: with a base, Node 20 returns false for some international names that `new URL` accepts.
  try {
    const { protocol, href } = new URL(uri, base);
    return protocol === "http:" || protocol === "https:" ? href : undefined;
  } catch {
    return undefined;
  }
}

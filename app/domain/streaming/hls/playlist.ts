import { videoProxyPath } from "#app/paths.ts";
import { costPerAttribute, costPerUrl, createCharacterBudget, type Spend } from "./playlist-budget.ts";
import {
  attributePattern,
  defineTag,
  definitionsOf,
  noVariables,
  substitute,
  type Variables,
} from "./playlist-variables.ts";

/**
 * HLS playlists, read and rewritten as text (RFC 8216bis). Pure, so that it can be judged by properties alone.
 * Everything but the addresses leaves as it came, line for line.
 */

/** Signs what an address of the proxy says; absent where the proxy is open. */
export type SignUrl = (url: string, definitions: readonly string[]) => string;

const proxyPath = videoProxyPath();

/** The proxy's own address for an absolute URL; `variables` are what the playlist behind it may import. */
export function proxyUrl(url: string, variables: Variables = noVariables, sign?: SignUrl): string {
  const definitions = Array.from(variables, ([name, value]) => `${name}=${value}`);
  const travelling = definitions.map((definition) => `&define=${encodeURIComponent(definition)}`).join("");
  const signature = sign ? `&sig=${sign(url, definitions)}` : "";
  return `${proxyPath}?url=${encodeURIComponent(url)}${travelling}${signature}`;
}

/** Reads back what `proxyAddress` wrote into `define` parameters. */
export const readDefinitions = (definitions: readonly string[]): Variables =>
  new Map(
    definitions.flatMap((definition): [string, string][] => {
      const equals = definition.indexOf("=");
      return equals > 0 ? [[definition.slice(0, equals), definition.slice(equals + 1)]] : [];
    }),
  );

/**
 * Turns every address in `text` into one of this proxy. `base` is where the playlist came from after all
 * redirects; `variables` are what its parent defined, for EXT-X-DEFINE:IMPORT. Throws `PlaylistGrew`.
 */
export function rewritePlaylist(
  text: string,
  base: string,
  variables: Variables = noVariables,
  sign?: SignUrl,
): string {
  const spend = createCharacterBudget();
  const defined = definitionsOf(text, base, variables, spend);
  const isMultivariant = isMultivariantPlaylist(text);
  const onUriLines = isMultivariant ? defined : noVariables;
  const playlist: Rewriting = {
    address: createUrlWriter({ base, defined, sign, spend }),
    spend,
    defined,
    inherited: isMultivariant ? defined : variables,
  };
  const here = sign || onUriLines.size > 0 ? undefined : resolve(".", base);
  const ownFolder = here && `${proxyPath}?url=${encodeURIComponent(here)}`;
  const hasAttributes = rewritable.test(text);
  const endOfLine = text.includes("\r") && loneReturn.test(text) ? endOfAnyLine : endOfUsualLine;

  // Joined at the end: a string grown piece by piece has to be gathered from thousands of them afterwards.
  const pieces: string[] = [];
  let copied = 0;
  let start = text.startsWith(byteOrderMark) ? byteOrderMark.length : 0;
  for (let end = 0; start < text.length; start = end + 1) {
    end = endOfLine(text, start);
    if (text.charCodeAt(start) === hash) {
      if (!hasAttributes || text.startsWith("#EXTINF", start)) continue;
      const line = text.slice(start, end);
      if (!rewritable.test(line)) continue;
      pieces.push(text.slice(copied, start), rewriteTag(line, playlist));
      copied = end;
    } else if (ownFolder !== undefined && isBare(text, start, end)) {
      spend(ownFolder.length + end - start);
      pieces.push(text.slice(copied, start), ownFolder);
      copied = start;
    } else {
      const line = text.slice(start, end);
      const content = line.trim();
      // Indented tags are none by the standard, but several players read them.
      const isTag = content.startsWith("#");
      if (content === "" || (isTag && !rewritable.test(content))) continue;
      const at = start + line.indexOf(content);
      pieces.push(
        text.slice(copied, at),
        isTag ? rewriteTag(content, playlist) : playlist.address(content, onUriLines),
      );
      copied = at + content.length;
    }
  }
  pieces.push(text.slice(copied));
  return pieces.join("");
}

type Rewriting = {
  /** What to write for `uri`, references and all; `variables` are what the playlist behind it may import. */
  address: (uri: string, variables: Variables) => string;
  spend: Spend;
  /** What references in this playlist stand for. */
  defined: Variables;
  /** What playlists named in it may import. */
  inherited: Variables;
};

const hash = 35;
const byteOrderMark = "\uFEFF";
const loneReturn = /\r(?!\n)/;
/** One of these stands in every tag that can need rewriting. */
const rewritable = /URI|X-ASSET-LIST|QUERYPARAM|PREFETCH:/;
const uriAttributes: ReadonlySet<string> = new Set(["URI", "SERVER-URI", "X-ASSET-URI", "X-ASSET-LIST"]);
/** Tags that name another playlist of the same presentation. */
const childTag = /^#EXT-X-(?:MEDIA|(?:I-FRAME-|IMAGE-)?STREAM-INF|RENDITION-REPORT):/;
/** A segment to come, as LHLS and live services announce it: no attributes, the address itself. */
const prefetchTag = /^#EXT-X-(?:TWITCH-)?PREFETCH:/;
const multivariantTags = ["#EXT-X-STREAM-INF:", "#EXT-X-MEDIA:", "#EXT-X-I-FRAME-STREAM-INF:"];

/** A playlist of segments says so in its first lines; nothing may be both (RFC 8216bis, 4.1). */
const isMultivariantPlaylist = (text: string) =>
  !text.includes("#EXTINF:") && multivariantTags.some((tag) => text.includes(tag));

function endOfUsualLine(text: string, start: number): number {
  const end = text.indexOf("\n", start);
  return end < 0 ? text.length : end;
}

/** Some old files end their lines with CR alone. */
function endOfAnyLine(text: string, start: number): number {
  let end = start;
  while (end < text.length && text[end] !== "\n" && text[end] !== "\r") end++;
  return end;
}

function rewriteTag(line: string, playlist: Rewriting): string {
  const [prefetch] = prefetchTag.exec(line) ?? [];
  if (prefetch !== undefined) {
    const rest = line.slice(prefetch.length);
    const uri = rest.trim();
    return uri === "" ? line : prefetch + rest.replace(uri, () => playlist.address(uri, noVariables));
  }
  const variables = childTag.test(line) ? playlist.inherited : noVariables;
  const isDefinition = line.startsWith(defineTag);
  return line.replace(
    attributePattern,
    (whole, before: string, name: string, equals: string, value: string) => {
      playlist.spend(costPerAttribute);
      const isQuoted = value.startsWith('"');
      const content = isQuoted ? value.slice(1, -1) : value;
      if (isDefinition && name === "QUERYPARAM") {
        const found = playlist.defined.get(content);
        return found === undefined ? whole : `${before}NAME="${content}",VALUE="${quotable(found)}"`;
      }
      if (!uriAttributes.has(name) || content === "") return whole;
      const address = playlist.address(content, variables);
      return `${before}${name}${equals}${isQuoted ? `"${address}"` : address}`;
    },
  );
}

/** A quoted string cannot hold these (RFC 8216bis, 4.2). */
const quotable = (value: string) => value.replace(/["\r\n]/g, encodeURIComponent);

/** The name of a file beside the playlist, which neither URL resolution nor encoding changes. */
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

/** A last path segment, with or without a query, that URL resolution leaves as it is. */
const plainName = /^[A-Za-z0-9_~-][A-Za-z0-9_.~-]*(\?[A-Za-z0-9_.~=&%/+:,;@$!*()-]*)?$/;

/**
 * Resolving and encoding cost a microsecond each, and a playlist names thousands of files of one folder: the
 * folder is resolved and encoded once, a plain name behind it only appended.
 */
function createUrlWriter({ base, defined, sign, spend }: Writing): Rewriting["address"] {
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
    // What no URL parser reads, at the price of an exception, is still not sent past the proxy, which refuses it.
    spend(5 * costPerUrl);
    return proxyUrl(uri, variables, sign);
  }

  return (written, variables) => {
    const address = write(substitute(written, defined), variables) ?? written;
    spend(address.length);
    return address;
  };
}

type Writing = { base: string; defined: Variables; sign: SignUrl | undefined; spend: Spend };

/** What to write for an address that stands outside of a playlist. */
export function proxyUrlOfUri(uri: string, base: string, sign?: SignUrl): string {
  const resolved = resolve(uri, base);
  return resolved === undefined && isForeign(uri) ? uri : proxyUrl(resolved ?? uri, noVariables, sign);
}

/** Of a scheme that is not ours (data:, skd:, urn:): the player reads it as it was written. */
const isForeign = (uri: string) => /^[A-Za-z][A-Za-z0-9+.-]*:/.test(uri) && !/^https?:/i.test(uri);

function resolve(uri: string, base: string): string | undefined {
  const url = parseUrl(uri, base);
  return url?.protocol === "http:" || url?.protocol === "https:" ? url.href : undefined;
}

/** Not `URL.canParse`: with a base, Node 20's denies some international names that `new URL` reads. */
function parseUrl(text: string, base?: string): URL | undefined {
  try {
    return new URL(text, base);
  } catch {
    return undefined;
  }
}

const vodSigns = ["\n#EXT-X-ENDLIST", "\n#EXT-X-PLAYLIST-TYPE:VOD"];
const indentedVodSigns = /^[ \t]+#EXT-X-(?:ENDLIST|PLAYLIST-TYPE:VOD)/m;
const liveSigns =
  /^[ \t]*#EXT-X-(?:PLAYLIST-TYPE:EVENT|MEDIA-SEQUENCE:0*[1-9]|PROGRAM-DATE-TIME:|PART:|PART-INF:|PRELOAD-HINT:|SERVER-CONTROL:)/m;

/** Whether this playlist will grow: then an old copy of it stops the film. */
export function isLivePlaylist(text: string): boolean {
  const isComplete = vodSigns.some((sign) => text.includes(sign)) || isMultivariantPlaylist(text);
  return !isComplete && liveSigns.test(text) && !indentedVodSigns.test(text);
}

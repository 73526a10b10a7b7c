/**
 * HLS playlists, read and rewritten as text (RFC 8216bis). Pure: no I/O and no imports, so that it can be
 * judged by properties alone. Everything but the addresses leaves as it came, line for line.
 */

/** Values of EXT-X-DEFINE, by name. */
export type Variables = ReadonlyMap<string, string>;
/** Signs what an address of the proxy says; absent where the proxy is open. */
export type Sign = (url: string, definitions: readonly string[]) => string;

export const proxyPath = "/api/videoProxy";
const noVariables: Variables = new Map();

/** The proxy's own address for an absolute URL; `variables` are what the playlist behind it may import. */
export function proxyAddress(url: string, variables: Variables = noVariables, sign?: Sign): string {
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
  sign?: Sign,
): string {
  const spend = allowance();
  const defined = definitionsOf(text, base, variables, spend);
  const isMultivariant = isMultivariantPlaylist(text);
  const playlist: Rewriting = {
    address: addressWriter({ base, defined, sign, spend }),
    spend,
    defined,
    inherited: isMultivariant ? defined : variables,
  };
  const onUriLines = isMultivariant ? defined : noVariables;
  const hasAttributes = rewritable.some((name) => text.includes(name));
  const endOfLine = text.includes("\r") && loneReturn.test(text) ? endOfAnyLine : endOfUsualLine;

  let out = "";
  let copied = 0;
  let start = text.startsWith(byteOrderMark) ? byteOrderMark.length : 0;
  for (let end = 0; start < text.length; start = end + 1) {
    end = endOfLine(text, start);
    if (text.charCodeAt(start) === hash) {
      if (!hasAttributes || text.startsWith("#EXTINF", start)) continue;
      const line = text.slice(start, end);
      if (!rewritable.some((name) => line.includes(name))) continue;
      out += text.slice(copied, start) + rewriteTag(line, playlist);
      copied = end;
    } else {
      const line = text.slice(start, end);
      const uri = line.trim();
      if (uri === "" || uri.startsWith("#")) continue;
      const at = start + line.indexOf(uri);
      out += text.slice(copied, at) + playlist.address(uri, onUriLines);
      copied = at + uri.length;
    }
  }
  return out + text.slice(copied);
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
const rewritable = ["URI", "X-ASSET-LIST", "QUERYPARAM", "PREFETCH:"];
const uriAttributes: ReadonlySet<string> = new Set(["URI", "SERVER-URI", "X-ASSET-URI", "X-ASSET-LIST"]);
/** Tags that name another playlist of the same presentation. */
const childTag = /^#EXT-X-(?:MEDIA|(?:I-FRAME-|IMAGE-)?STREAM-INF|RENDITION-REPORT):/;
/** A segment to come, as LHLS and live services announce it: no attributes, the address itself. */
const prefetchTag = /^#EXT-X-(?:TWITCH-)?PREFETCH:/;
const multivariantTags = ["#EXT-X-STREAM-INF:", "#EXT-X-MEDIA:", "#EXT-X-I-FRAME-STREAM-INF:"];

export const isMultivariantPlaylist = (text: string) => multivariantTags.some((tag) => text.includes(tag));

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

/** One attribute of a list (RFC 8216bis, 4.2): its name and a quoted string, or what reaches to the comma. */
const attribute = /([:,]\s*)([^\s=,:"]+)(\s*=\s*)("[^"]*"|[^",\s]*)/g;

function rewriteTag(line: string, playlist: Rewriting): string {
  const [prefetch] = prefetchTag.exec(line) ?? [];
  if (prefetch !== undefined) {
    const uri = line.slice(prefetch.length).trim();
    return uri === "" ? line : line.replace(uri, () => playlist.address(uri, noVariables));
  }
  const variables = childTag.test(line) ? playlist.inherited : noVariables;
  const isDefinition = line.startsWith(defineTag);
  return line.replace(attribute, (whole, before: string, name: string, equals: string, value: string) => {
    playlist.spend(charactersAnAttribute);
    const isQuoted = value.startsWith('"');
    const content = isQuoted ? value.slice(1, -1) : value;
    if (isDefinition && name === "QUERYPARAM") {
      const found = playlist.defined.get(content);
      return found === undefined ? whole : `${before}NAME="${content}",VALUE="${quotable(found)}"`;
    }
    if (!uriAttributes.has(name) || content === "") return whole;
    const address = playlist.address(content, variables);
    return `${before}${name}${equals}${isQuoted ? `"${address}"` : address}`;
  });
}

/** A quoted string cannot hold these (RFC 8216bis, 4.2). */
const quotable = (value: string) => value.replace(/["\r\n]/g, encodeURIComponent);

const defineTag = "#EXT-X-DEFINE:";
const reference = /\{\$([A-Za-z0-9_-]+)\}/g;

/** A reference to what nobody defined stays as it is: the address fails where it is asked for, and says so. */
function substitute(text: string, defined: Variables): string {
  if (defined.size === 0 || !text.includes("{$")) return text;
  let length = text.length;
  return text.replace(reference, (whole, name: string) => {
    const value = defined.get(name) ?? whole;
    length += value.length;
    if (length > mostSubstituted) throw new PlaylistGrew();
    return value;
  });
}

/** Definitions made of definitions grow many times over at every step, and no address is this long. */
const mostSubstituted = 64 * 1024;
/** Each of them travels in the address of every child. */
const mostDefinitions = 1000;

/** What a playlist asks for is out of all proportion to what it says. */
export class PlaylistGrew extends Error {
  override name = "PlaylistGrew";
}

/**
 * A few bytes of playlist become as many addresses, each with the whole of the playlist's own before it, and the
 * process does nothing else meanwhile: both are paid for out of this, in characters written or read over.
 */
function allowance(left = 64 * 1024 * 1024): Spend {
  return (characters) => {
    left -= characters;
    if (left < 0) throw new PlaylistGrew();
  };
}
type Spend = (characters: number) => void;
const charactersAnAttribute = 100;
const charactersAnUrl = 300;

/** The playlist's own variables: given by value, taken from its address, or imported (RFC 8216bis, 4.4.2.3). */
function definitionsOf(text: string, base: string, imported: Variables, spend: Spend): Variables {
  if (!text.includes(defineTag)) return noVariables;
  const parameters = queryParameters(base);
  const defined = new Map<string, string>();
  for (const line of text.split(/[\r\n]+/)) {
    if (!line.startsWith(defineTag)) continue;
    spend(charactersAnUrl);
    const given = new Map<string, string>();
    for (const [, , name = "", , value = ""] of line.matchAll(attribute))
      given.set(name, substitute(value.replace(/^"|"$/g, ""), defined));
    const name = given.get("NAME") ?? given.get("IMPORT") ?? given.get("QUERYPARAM");
    const value =
      given.get("VALUE") ??
      (given.has("IMPORT") ? imported.get(name ?? "") : parameters.get(given.get("QUERYPARAM") ?? ""));
    if (name !== undefined && value !== undefined && !defined.has(name)) defined.set(name, value);
    if (defined.size > mostDefinitions) throw new PlaylistGrew();
  }
  return defined;
}

/** Percent-decoded as the draft says, so that a plus stays a plus; of two with one name the first counts. */
function queryParameters(base: string): Variables {
  const parameters = new Map<string, string>();
  for (const pair of (parseUrl(base)?.search ?? "").slice(1).split("&")) {
    const equals = pair.indexOf("=");
    const name = percentDecoded(pair.slice(0, Math.max(0, equals)));
    if (equals > 0 && !parameters.has(name)) parameters.set(name, percentDecoded(pair.slice(equals + 1)));
  }
  return parameters;
}

function percentDecoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** A file beside the playlist, which neither URL resolution nor encoding changes. */
const bareName = /^[A-Za-z0-9_~-][A-Za-z0-9_.~-]*$/;
/** A last path segment, with or without a query, that URL resolution leaves as it is. */
const plainName = /^[A-Za-z0-9_~-][A-Za-z0-9_.~-]*(\?[A-Za-z0-9_.~=&%/+:,;@$!*()-]*)?$/;

/**
 * Resolving and encoding cost a microsecond each, and a playlist names thousands of files of one folder: the
 * folder is resolved and encoded once, a plain name behind it only appended.
 */
function addressWriter({ base, defined, sign, spend }: Writing): Rewriting["address"] {
  const here = sign ? undefined : resolve(".", base);
  const ownFolder = here && `${proxyPath}?url=${encodeURIComponent(here)}`;
  let folder: string | undefined;
  let encodedFolder: string | undefined;

  function write(uri: string, variables: Variables): string | undefined {
    if (ownFolder !== undefined && variables.size === 0 && bareName.test(uri)) return ownFolder + uri;
    const query = uri.indexOf("?");
    const slash = uri.lastIndexOf("/", query < 0 ? uri.length : query) + 1;
    const name = uri.slice(slash);
    const plain = sign || variables.size > 0 ? null : plainName.exec(name);
    if (plain && (folder?.length !== slash || !uri.startsWith(folder))) {
      spend(base.length + charactersAnUrl);
      folder = uri.slice(0, slash);
      const resolved = resolve(folder === "" ? "." : folder, base);
      encodedFolder = resolved?.endsWith("/") ? encodeURIComponent(resolved) : undefined;
    }
    if (plain && encodedFolder !== undefined)
      return `${proxyPath}?url=${encodedFolder}${plain[1] ? encodeURIComponent(name) : name}`;
    spend(base.length + uri.length + charactersAnUrl);
    const resolved = resolve(uri, base);
    if (resolved !== undefined) return proxyAddress(resolved, variables, sign);
    if (isForeign(uri)) return undefined;
    // What no URL parser reads, at the price of an exception, is still not sent past the proxy, which refuses it.
    spend(5 * charactersAnUrl);
    return proxyAddress(uri, variables, sign);
  }

  return (written, variables) => {
    const address = write(substitute(written, defined), variables) ?? written;
    spend(address.length);
    return address;
  };
}

type Writing = { base: string; defined: Variables; sign: Sign | undefined; spend: Spend };

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
const liveSigns =
  /^#EXT-X-(?:PLAYLIST-TYPE:EVENT|MEDIA-SEQUENCE:0*[1-9]|PROGRAM-DATE-TIME:|PART:|PART-INF:|PRELOAD-HINT:|SERVER-CONTROL:)/m;

/** Whether this playlist will grow: then an old copy of it stops the film. */
export function isLivePlaylist(text: string): boolean {
  const isComplete = vodSigns.some((sign) => text.includes(sign)) || isMultivariantPlaylist(text);
  return !isComplete && liveSigns.test(text);
}

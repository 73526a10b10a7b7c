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
 * redirects; `variables` are what its parent defined, for EXT-X-DEFINE:IMPORT.
 */
export function rewritePlaylist(
  text: string,
  base: string,
  variables: Variables = noVariables,
  sign?: Sign,
): string {
  const defined = definitionsOf(text, base, variables);
  const isMultivariant = isMultivariantPlaylist(text);
  const playlist: Rewriting = {
    address: addressWriter(base, sign),
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
      out += text.slice(copied, at) + playlist.address(substitute(uri, defined), onUriLines);
      copied = at + uri.length;
    }
  }
  return out + text.slice(copied);
}

type Rewriting = {
  address: (uri: string, variables: Variables) => string;
  /** What references in this playlist stand for. */
  defined: Variables;
  /** What playlists named in it may import. */
  inherited: Variables;
};

const hash = 35;
const byteOrderMark = "\uFEFF";
const loneReturn = /\r(?!\n)/;
/** One of these stands in every tag that can need rewriting. */
const rewritable = ["URI", "X-ASSET-LIST", "QUERYPARAM"];
const uriAttributes: ReadonlySet<string> = new Set(["URI", "SERVER-URI", "X-ASSET-URI", "X-ASSET-LIST"]);
/** Tags that name another playlist of the same presentation. */
const childTag = /^#EXT-X-(?:MEDIA|I-FRAME-STREAM-INF|IMAGE-STREAM-INF|RENDITION-REPORT):/;
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
  const variables = childTag.test(line) ? playlist.inherited : noVariables;
  const isDefinition = line.startsWith(defineTag);
  return line.replace(attribute, (whole, before: string, name: string, equals: string, value: string) => {
    const isQuoted = value.startsWith('"');
    const content = isQuoted ? value.slice(1, -1) : value;
    if (isDefinition && name === "QUERYPARAM") {
      const found = playlist.defined.get(content);
      return found === undefined ? whole : `${before}NAME="${content}",VALUE="${quotable(found)}"`;
    }
    if (!uriAttributes.has(name) || content === "") return whole;
    const address = playlist.address(substitute(content, playlist.defined), variables);
    return `${before}${name}${equals}${isQuoted ? `"${address}"` : address}`;
  });
}

/** A quoted string cannot hold these (RFC 8216bis, 4.2). */
const quotable = (value: string) => value.replace(/["\r\n]/g, encodeURIComponent);

const defineTag = "#EXT-X-DEFINE:";
const reference = /\{\$([A-Za-z0-9_-]+)\}/g;

/** A reference to what nobody defined stays as it is: the address fails where it is asked for, and says so. */
const substitute = (text: string, defined: Variables) =>
  defined.size > 0 && text.includes("{$")
    ? text.replace(reference, (whole, name: string) => defined.get(name) ?? whole)
    : text;

/** The playlist's own variables: given by value, taken from its address, or imported (RFC 8216bis, 4.4.2.3). */
function definitionsOf(text: string, base: string, imported: Variables): Variables {
  if (!text.includes(defineTag)) return noVariables;
  const defined = new Map<string, string>();
  for (const line of text.split(/[\r\n]+/)) {
    if (!line.startsWith(defineTag)) continue;
    const given = new Map<string, string>();
    for (const [, , name = "", , value = ""] of line.matchAll(attribute))
      given.set(name, substitute(value.replace(/^"|"$/g, ""), defined));
    const name = given.get("NAME") ?? given.get("IMPORT") ?? given.get("QUERYPARAM");
    const value =
      given.get("VALUE") ??
      (given.has("IMPORT") ? imported.get(name ?? "") : queryParameter(base, given.get("QUERYPARAM")));
    if (name !== undefined && value !== undefined && !defined.has(name)) defined.set(name, value);
  }
  return defined;
}

/** Percent-decoded as the draft says, so that a plus stays a plus. */
function queryParameter(base: string, name: string | undefined): string | undefined {
  if (name === undefined) return undefined;
  for (const pair of (parseUrl(base)?.search ?? "").slice(1).split("&")) {
    const equals = pair.indexOf("=");
    if (equals > 0 && percentDecoded(pair.slice(0, equals)) === name)
      return percentDecoded(pair.slice(equals + 1));
  }
  return undefined;
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
function addressWriter(base: string, sign: Sign | undefined): Rewriting["address"] {
  const here = sign ? undefined : resolve(".", base);
  const ownFolder = here && `${proxyPath}?url=${encodeURIComponent(here)}`;
  let folder: string | undefined;
  let encodedFolder: string | undefined;

  return (uri, variables) => {
    if (ownFolder !== undefined && variables.size === 0 && bareName.test(uri)) return ownFolder + uri;
    const query = uri.indexOf("?");
    const slash = uri.lastIndexOf("/", query < 0 ? uri.length : query) + 1;
    const name = uri.slice(slash);
    const plain = sign || variables.size > 0 ? null : plainName.exec(name);
    if (!plain) return slowAddress(uri, base, variables, sign);
    if (folder === undefined || folder.length !== slash || !uri.startsWith(folder)) {
      folder = uri.slice(0, slash);
      const resolved = resolve(folder === "" ? "." : folder, base);
      encodedFolder = resolved?.endsWith("/") ? encodeURIComponent(resolved) : undefined;
    }
    if (encodedFolder === undefined) return slowAddress(uri, base, variables, sign);
    return `${proxyPath}?url=${encodedFolder}${plain[1] ? encodeURIComponent(name) : name}`;
  };
}

const scheme = /^[A-Za-z][A-Za-z0-9+.-]*:/;

function slowAddress(uri: string, base: string, variables: Variables, sign: Sign | undefined): string {
  const resolved = resolve(uri, base);
  if (resolved !== undefined) return proxyAddress(resolved, variables, sign);
  // What no URL parser reads is still not sent past the proxy, which refuses it; data:, skd:, urn: are not ours.
  return scheme.test(uri) && !/^https?:/i.test(uri) ? uri : proxyAddress(uri, variables, sign);
}

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

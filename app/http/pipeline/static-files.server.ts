import { createReadStream } from "node:fs";
import { lstat, readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { parseByteRange } from "#app/platform/byte-range.ts";
import {
  extensionOf,
  pictureTypes,
  playableTypes,
  playlistTypes,
  unknownType,
} from "#app/platform/media-types.ts";
import { decodePercent } from "#app/platform/percent-decoding.ts";
import { hours, kibibytes } from "#app/platform/units.ts";
import { cacheHeaders, immutable, privateRevalidated, publicElsewhereFor } from "../cache-policy.server.ts";
import type { IncomingRequest } from "../server/incoming-request.server.ts";
import type { Sharing } from "../sharing.ts";
import { type Answer, flatHeadersOf, jsonError } from "./answer.server.ts";
import {
  chooseEncoding,
  compressBytes,
  type Encoding,
  isCompressible,
  isWorthCompressing,
  matchesTag,
  strongTag,
  tagFor,
} from "./content-encoding.server.ts";
import { corsHeaders } from "./cors.server.ts";
import { plainSecurityHeaders } from "./security-headers.server.ts";

/**
 * Serves the files of the browser build. They are listed once at the start, and a request looks its path up in a map:
 * no path from a request ever reaches the file system. Dotfiles and symbolic links are left out.
 */

type Variant = { bytes: Buffer | null; headers: readonly string[]; tag: string };
type StaticFile = { location: string; size: number; variants: Partial<Record<Encoding | "plain", Variant>> };
export type StaticFiles = ReadonlyMap<string, StaticFile>;

const maxInMemoryBytes = kibibytes(512);
const suffixes = { br: ".br", gzip: ".gz" } as const satisfies Record<Encoding, string>;

const types = new Map([
  ...playableTypes,
  ...playlistTypes,
  ...pictureTypes,
  ["css", "text/css"],
  ["html", "text/html"],
  ["ico", "image/x-icon"],
  ["js", "text/javascript"],
  ["json", "application/json"],
  ["map", "application/json"],
  ["svg", "image/svg+xml"],
  ["ttf", "font/ttf"],
  ["txt", "text/plain"],
  ["wasm", "application/wasm"],
  ["webmanifest", "application/manifest+json"],
  ["woff2", "font/woff2"],
  ["xml", "application/xml"],
]);

function typeOf(path: string): string {
  const type = types.get(extensionOf(path)) ?? unknownType;
  return type.startsWith("text/") ? `${type}; charset=utf-8` : type;
}

export async function listStaticFiles(root: string): Promise<StaticFiles> {
  const locations = new Map<string, string>();
  await collect(root, "/", locations);
  const files = new Map<string, StaticFile>();
  for (const [path, location] of locations) {
    const isCompressedCopy = Object.values(suffixes).some(
      (suffix) => path.endsWith(suffix) && locations.has(path.slice(0, -suffix.length)),
    );
    if (!isCompressedCopy) files.set(path, await load(path, location, locations));
  }
  return files;
}

async function collect(folder: string, path: string, found: Map<string, string>) {
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    if (entry.name.startsWith(".")) continue;
    if (entry.isDirectory()) await collect(join(folder, entry.name), `${path}${entry.name}/`, found);
    else if (entry.isFile()) found.set(`${path}${entry.name}`, join(folder, entry.name));
  }
}

async function load(path: string, location: string, found: Map<string, string>): Promise<StaticFile> {
  const { size, mtimeMs } = await lstat(location);
  const bytes = size <= maxInMemoryBytes ? await readFile(location) : null;
  const tag = bytes ? strongTag(bytes) : `"${size.toString(36)}-${Math.trunc(mtimeMs).toString(36)}"`;
  const type = typeOf(path);
  const file: StaticFile = { location, size, variants: {} };
  const common = [
    "Content-Type",
    type,
    ...flatHeadersOf(cacheHeaders(policyOf(path))),
    "Content-Security-Policy",
    isWorker(path) ? workerPolicy : "default-src 'none'; frame-ancestors 'none'",
    ...(isCompressible(type) ? ["Vary", "Accept-Encoding"] : []),
  ];
  file.variants.plain = { bytes, tag, headers: [...common, "ETag", tag, "Accept-Ranges", "bytes"] };
  for (const [encoding, suffix] of Object.entries(suffixes) as [Encoding, string][]) {
    const copy = found.get(`${path}${suffix}`);
    const encoded = copy ? await readFile(copy) : await compressNow(bytes, type, encoding);
    if (!encoded) continue;
    const encodedTag = tagFor(tag, encoding);
    file.variants[encoding] = {
      bytes: encoded,
      tag: encodedTag,
      headers: [...common, "ETag", encodedTag, "Content-Encoding", encoding],
    };
  }
  return file;
}

/**
 * Compresses files for which the build wrote no compressed copy. The router writes its manifest after the copies are
 * made.
 */
const compressNow = async (bytes: Buffer | null, type: string, encoding: Encoding) =>
  bytes && isCompressible(type) && isWorthCompressing(bytes.byteLength)
    ? compressBytes(bytes, encoding, { thorough: true })
    : null;

/** A worker runs under the policy of its own script, so it may compile WebAssembly, which pages may not. */
const workerPolicy =
  "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; connect-src 'self'; frame-ancestors 'none'";
const isWorker = (path: string) => /^\/assets\/worker-[\w-]{8,}\.js$/.test(path);

/** The content of a file with a hash in its name never changes. */
const policyOf = (path: string) =>
  /^\/assets\/.*-[\w-]{8,}\.\w+$/.test(path) ? immutable : publicElsewhereFor(hours(1));

export const isStaticFile = (files: StaticFiles, path: string) => files.has(filePathOf(path));

export function answerFile(
  files: StaticFiles,
  incoming: IncomingRequest,
  folderSharing: (path: string) => Sharing | undefined = () => undefined,
): Answer | undefined {
  const isHead = incoming.method === "HEAD";
  const file = files.get(filePathOf(incoming.path));
  if (!file) return undefined;
  if (incoming.method !== "GET" && !isHead)
    return jsonError(405, "Method not allowed", { Allow: "GET, HEAD, OPTIONS" });
  const variant = chooseVariant(file, incoming);
  const headers = [...variant.headers];
  for (const [name, value] of plainSecurityHeaders(incoming.origin)) headers.push(name, value);
  const sharing = folderSharing(incoming.path);
  if (sharing)
    headers.push(
      ...flatHeadersOf(corsHeaders({ method: incoming.method, origin: incoming.headers.origin, sharing })),
    );
  if (matchesTag(incoming.headers["if-none-match"], variant.tag))
    return { status: 304, headers, body: null, source: "file" };
  const range = variant === file.variants.plain ? requestedRange(file, incoming, variant.tag) : null;
  if (range === "unsatisfiable")
    return jsonError(416, "Range not satisfiable", { "Content-Range": `bytes */${file.size}` });
  const { start, end } = range ?? { start: 0, end: (variant.bytes?.byteLength ?? file.size) - 1 };
  if (range) headers.push("Content-Range", `bytes ${start}-${end}/${file.size}`);
  headers.push("Content-Length", String(end - start + 1));
  return {
    status: range ? 206 : 200,
    headers,
    body: isHead ? null : part(file, variant, start, end),
    source: "file",
  };
}

/** For a site that answers only members: no shared cache may store the file. */
export function answerFileToMember(files: StaticFiles, incoming: IncomingRequest): Answer {
  const answer = answerFile(files, incoming);
  if (!answer) throw new Error("the file is not there");
  const at = answer.headers.indexOf("Cache-Control");
  return { ...answer, headers: answer.headers.with(at + 1, privateRevalidated.control) };
}

/** Returns an empty text, which is no file's path, if the path is not valid percent-encoding. */
export function filePathOf(path: string): string {
  return path.includes("%") ? (decodePercent(path) ?? "") : path;
}

function chooseVariant(file: StaticFile, { headers }: IncomingRequest): Variant {
  const encoding = headers.range === undefined ? chooseEncoding(headers["accept-encoding"]) : undefined;
  const chosen = (encoding && file.variants[encoding]) ?? file.variants.plain;
  if (!chosen) throw new Error("a static file has no uncompressed variant");
  return chosen;
}

function requestedRange(file: StaticFile, { headers }: IncomingRequest, tag: string) {
  const condition = headers["if-range"];
  if (headers.range === undefined || (condition !== undefined && condition !== tag)) return null;
  return parseByteRange(headers.range, file.size);
}

function part(file: StaticFile, { bytes }: Variant, start: number, end: number) {
  if (!bytes) return createReadStream(file.location, { start, end });
  return start === 0 && end === bytes.byteLength - 1 ? bytes : bytes.subarray(start, end + 1);
}

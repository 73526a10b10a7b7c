import { setImmediate } from "node:timers/promises";
import { done, type Outcome, refuse } from "#app/domain/errors.ts";
import {
  type MediaFile,
  noSuchFilmRefusal,
  openPartOf,
  openServedFile,
  splitRoot,
} from "#app/domain/films/films.server.ts";
import { rewriteFor } from "#app/domain/proxy/proxy.server.ts";
import { decodedOrSame, videoProxyPath } from "#app/paths.ts";
import { extensionOf, playlistType } from "#app/platform/media-types.ts";
import { decrypt, encryptAlike } from "#app/platform/process/encryption.server.ts";
import { rewritingBudget } from "#app/platform/process/text-thread.server.ts";
import { mebibytes } from "#app/platform/units.ts";

/**
 * Opens films of MEDIA_DIR as they are. Addresses contain no file names: a film is named by its id, and a file that its
 * playlist names by its encrypted path.
 */

type FilmPlaylist = { type: string; bytes: Buffer; tag: string };
export type ServedFilm = { kind: "file"; file: MediaFile } | { kind: "playlist"; playlist: FilmPlaylist };

export type ServedFilmRequest = {
  film: string;
  /** The `define` parameters of the address: variables that the parent playlist passes to the playlists it names. */
  definitions: readonly string[];
  client: string;
  signal: AbortSignal;
  /**
   * True if the request is for a part. The parts that it names are then addressed beside it instead of below the film.
   */
  isPart?: boolean;
};

const maxPlaylistBytes = mebibytes(5);
const largePlaylist = refuse("too_large", "The playlist of this film is too large");

/** `path` is the path in the database. */
export async function readServedFilm(path: string, request: ServedFilmRequest): Promise<Outcome<ServedFilm>> {
  return readOpened(path, await openServedFile(path), request);
}

async function readOpened(
  path: string,
  found: Outcome<MediaFile>,
  request: ServedFilmRequest,
): Promise<Outcome<ServedFilm>> {
  if (!found.ok) return found;
  const file = found.value;
  if (file.type !== playlistType) return done({ kind: "file", file });
  if (file.size > maxPlaylistBytes) return largePlaylist;
  return rewritingBudget(request.client, async (admit) => {
    if (!admit(2 * file.size)) return refuse("overloaded", "Too many playlists at once; try again shortly");
    const bytes = Buffer.concat(await file.read(null).toArray());
    return readPlaylist(path, bytes, request);
  });
}

/**
 * Opens a file that the film's playlist names. `filmPath` is the path of that playlist in the database, and `name` was
 * written by `partName`.
 */
export async function readServedPart(
  filmPath: string,
  name: string,
  request: ServedFilmRequest,
): Promise<Outcome<ServedFilm>> {
  const path = decrypt(name.replace(/\.[a-z\d]+$/, ""), contextOf(request.film));
  if (path === null || !isBelowFolderOf(filmPath, path)) return noSuchFilmRefusal;
  return readOpened(path, await openPartOf(filmPath, path), { ...request, isPart: true });
}

/**
 * A playlist gives access to the files below its folder. It can name others, also with variables whose values come from
 * the viewer: those files can belong to a title that the viewer may not see.
 */
const isBelowFolderOf = (filmPath: string, path: string) =>
  splitRoot(path).root === splitRoot(filmPath).root &&
  path.startsWith(filmPath.slice(0, filmPath.lastIndexOf("/") + 1)) &&
  !path.split("/").includes("..");

/** Stands for MEDIA_DIR while a playlist is rewritten. */
const folderUrl = "http://films.invalid/";

async function readPlaylist(
  path: string,
  bytes: Buffer,
  request: ServedFilmRequest,
): Promise<Outcome<ServedFilm>> {
  const { definitions, client, signal } = request;
  const base = folderUrl + path.split("/").map(encodeURIComponent).join("/");
  const job = { kind: "playlist" as const, bytes, base, definitions, sourceId: undefined, child: undefined };
  const outcome = await rewriteFor(client, job, signal);
  if (!outcome.ok) return outcome;
  if (outcome.value === null) return largePlaylist;
  const text = await withOwnUrls(outcome.value.bytes.toString(), request);
  return done({
    kind: "playlist",
    playlist: { type: playlistType, bytes: Buffer.from(text), tag: outcome.value.tag },
  });
}

/** Encrypting this many addresses takes a few milliseconds. The longest playlists have a hundred thousand. */
const urlsAtOnce = 200;

async function withOwnUrls(text: string, request: ServedFilmRequest): Promise<string> {
  const parts: string[] = [];
  let at = 0;
  let count = 0;
  for (const { 0: url, index } of text.matchAll(proxiedUrls)) {
    parts.push(text.slice(at, index), ownUrl(url, request));
    at = index + url.length;
    // Lets other requests take their turn.
    if (++count % urlsAtOnce === 0) await setImmediate(undefined, { signal: request.signal });
  }
  return parts.join("") + text.slice(at);
}

const proxiedUrls = new RegExp(`${videoProxyPath().replaceAll("/", "\\/")}\\?url=[^\\s"]+`, "g");

/**
 * The addresses of parts are relative to the playlist, so that a player with a signed address keeps the signature. URLs
 * of other servers still lead through the proxy.
 */
function ownUrl(proxied: string, { film, isPart = false }: ServedFilmRequest): string {
  const query = new URLSearchParams(proxied.slice(proxied.indexOf("?")));
  const url = query.get("url") ?? "";
  if (!url.startsWith(folderUrl)) return proxied;
  const name = partName(decodedOrSame(new URL(url).pathname.slice(1)), film);
  const part = isPart ? name : `${film}/${name}`;
  const defined = query.getAll("define").map((definition) => `define=${encodeURIComponent(definition)}`);
  return defined.length === 0 ? part : `${part}?${defined.join("&")}`;
}

/** Keeps the extension, because ffmpeg plays no segments without one. */
function partName(path: string, film: string): string {
  const extension = extensionOf(path);
  return encryptAlike(path, contextOf(film)) + (/^[a-z\d]{1,5}$/.test(extension) ? `.${extension}` : "");
}

const contextOf = (film: string) => ["film part", film];

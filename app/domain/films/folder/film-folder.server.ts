import type { Dirent } from "node:fs";
import { lstat, readdir } from "node:fs/promises";
import { join } from "node:path";
import type { SourceType } from "#app/domain/catalog/catalog.ts";
import { extensionOf, isPlaylistPath } from "#app/platform/media-types.ts";

/** Finds the films in a folder: video files, subtitles, and HLS playlists with their segments. */

export type FoundFilm = {
  /** Relative to the searched folder, with forward slashes. */
  path: string;
  type: SourceType | "captions";
};

export type FoundFile = FoundFilm & { size: number; modifiedMs: number };

/** The result of searching a folder. */
export type SearchedFolder = {
  files: FoundFile[];
  /** Folders that were not read completely, so a film in them may exist although it was not found. */
  unread: Set<string>;
  /** Problems that an operator should fix, each as a sentence. */
  problems: string[];
};

const types: Readonly<Record<string, FoundFilm["type"]>> = {
  ass: "captions",
  avi: "file",
  m4v: "mp4",
  mkv: "file",
  mov: "file",
  mp4: "mp4",
  ogv: "file",
  srt: "captions",
  ssa: "captions",
  ts: "file",
  m2ts: "file",
  vtt: "captions",
  webm: "webm",
};

function filmTypeOf(path: string): FoundFilm["type"] {
  return isPlaylistPath(path) ? "hls" : (types[extensionOf(path)] ?? "file");
}

/** No collection of films is deeper or larger than this. */
const maxDepth = 12;
const maxFiles = 200_000;
/** Problems beyond these are not reported, because nobody would read them all. */
const maxProblems = 100;
const filesAtOnce = 16;

export const findFilms = async (folder: string): Promise<FoundFilm[]> => (await searchFolder(folder)).files;

/**
 * Searches the folder `inside` within `root`; "" means all of `root`. Throws only if that folder itself cannot be read,
 * or if the signal aborts.
 */
export async function searchFolder(root: string, inside = "", signal?: AbortSignal): Promise<SearchedFolder> {
  const found: SearchedFolder = { files: [], unread: new Set(), problems: [] };
  let seen = 0;
  const addProblem = (text: string) => found.problems.length < maxProblems && found.problems.push(text);

  async function search(folder: string, depth: number): Promise<void> {
    signal?.throwIfAborted();
    const entries = (await readdir(join(root, folder), { withFileTypes: true }))
      .filter(({ name }) => !name.startsWith("."))
      .sort((one, other) => (one.name < other.name ? -1 : 1));
    seen += entries.length;
    const problem =
      depth > maxDepth ? "is too deep" : seen > maxFiles ? "is beyond the first 200,000 files" : "";
    if (problem !== "") {
      found.unread.add(folder);
      addProblem(`The folder ${folder} ${problem}, so it is left out.`);
      return;
    }
    const at = (name: string) => (folder === "" ? name : `${folder}/${name}`);
    const { hasPlaylist, names } = filmsAmong(entries);
    for (let index = 0; index < names.length; index += filesAtOnce)
      await Promise.all(names.slice(index, index + filesAtOnce).map((name) => addFile(at(name))));
    // All other files here and in subfolders are the playlist's segments and variants.
    if (hasPlaylist) return;
    for (const entry of entries) if (entry.isDirectory()) await searchBelow(at(entry.name), depth + 1);
  }

  async function searchBelow(folder: string, depth: number) {
    try {
      await search(folder, depth);
    } catch (error) {
      if (signal?.aborted) throw error;
      found.unread.add(folder);
      addProblem(`The folder ${folder} cannot be read${nameProblem(folder) ?? ` (${codeOf(error)}).`}`);
    }
  }

  async function addFile(path: string) {
    if (/\p{Cc}/u.test(path)) {
      addProblem(`${path} has control characters in its name. Give it another name.`);
      return;
    }
    try {
      const { size, mtimeMs } = await lstat(join(root, path));
      found.files.push({ path, type: filmTypeOf(path), size, modifiedMs: Math.trunc(mtimeMs) });
    } catch (error) {
      // The file was deleted while the folder was read.
      if (codeOf(error) === "ENOENT" && nameProblem(path) === null) return;
      addProblem(`${path} cannot be read${nameProblem(path) ?? ` (${codeOf(error)}).`}`);
    }
  }

  await search(inside, 0);
  return found;
}

const codeOf = (error: unknown) =>
  error instanceof Error && "code" in error ? String(error.code) : "unknown error";

/** Node replaces bytes that are not UTF-8, so the file cannot be opened by the name that Node returns. */
const nameProblem = (path: string) =>
  path.includes("\ufffd") ? ", because its name is not UTF-8. Give it another name." : null;

function filmsAmong(entries: readonly Dirent[]): { hasPlaylist: boolean; names: string[] } {
  const files = entries.filter((entry) => entry.isFile()).map(({ name }) => name);
  const playlist = mainPlaylist(files);
  return playlist === undefined
    ? { hasPlaylist: false, names: files.filter((name) => types[extensionOf(name)] !== undefined) }
    : { hasPlaylist: true, names: [playlist] };
}

const usualNames = ["master.m3u8", "index.m3u8", "playlist.m3u8"];

/**
 * Several playlists in one folder are usually the variants of one film, so only the main one is proposed. Playlists of
 * different films in one folder are not told apart.
 */
function mainPlaylist(files: readonly string[]): string | undefined {
  const playlists = files.filter(isPlaylistPath);
  const lower = new Map(playlists.map((name) => [name.toLowerCase(), name]));
  return usualNames.map((name) => lower.get(name)).find(Boolean) ?? playlists[0];
}

import { readdir } from "node:fs/promises";
import { join, relative, sep } from "node:path";
import type { SourceType } from "#app/domain/catalog/catalog.ts";
import { extensionOf } from "#app/platform/media-types.ts";
import { isPlaylistPath } from "../proxy/media-kinds.ts";

/** Finds the films in a folder: video files, subtitles, and HLS playlists with their segments. */

export type FoundFilm = {
  /** Relative to the searched folder, with forward slashes. */
  path: string;
  type: SourceType | "captions";
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

/** No collection of films is deeper or larger than this. */
const maxDepth = 12;
const maxFiles = 200_000;

export async function findFilms(folder: string): Promise<FoundFilm[]> {
  const found: FoundFilm[] = [];
  let seen = 0;

  async function search(directory: string, depth: number): Promise<void> {
    const entries = (await readdir(directory, { withFileTypes: true }))
      .filter(({ name }) => !name.startsWith("."))
      .sort((one, other) => (one.name < other.name ? -1 : 1));
    seen += entries.length;
    if (depth > maxDepth || seen > maxFiles) return;
    const files = entries.filter((entry) => entry.isFile()).map(({ name }) => name);
    const at = (name: string) => relative(folder, join(directory, name)).split(sep).join("/");
    const playlist = mainPlaylist(files);
    if (playlist !== undefined) {
      // All other files here and in subfolders are the playlist's segments and variants.
      found.push({ path: at(playlist), type: "hls" });
      return;
    }
    for (const name of files) {
      const type = types[extensionOf(name)];
      if (type) found.push({ path: at(name), type });
    }
    for (const entry of entries)
      if (entry.isDirectory()) await search(join(directory, entry.name), depth + 1);
  }

  await search(folder, 0);
  return found;
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

import type { Dirent } from "node:fs";
import { lstat, readdir, readlink, realpath, stat } from "node:fs/promises";
import { basename, dirname, join, resolve } from "node:path";
import type { SourceType } from "#app/domain/catalog/catalog.ts";
import { done, type Outcome } from "#app/domain/errors.ts";
import { subtitleExtensions } from "#app/media/subtitles/subtitle-names.ts";
import { errorCodeOf } from "#app/platform/error-code.ts";
import { chunksOf } from "#app/platform/lists.ts";
import { extensionOf, filmFormats, isPlaylistPath, unplayedExtensions } from "#app/platform/media-types.ts";
import type { passedOverReasons } from "#db/schema/enumerations.ts";
import { isHiddenIn, liesIn } from "./choosable-folders.server.ts";
import { firstRoot, joinRoot, splitRoot } from "./folders.ts";
import { findFolderInRoots, listFilmRoots, realRootPath } from "./roots.server.ts";

/**
 * Finds the films in the roots: video files, subtitles, and HLS playlists with their segments. A link is followed only
 * into a later root. Files in the link's own root or in an earlier root are found by their own paths. Links therefore
 * cannot form a circle, and no folder is searched twice.
 */

export type FoundFilm = {
  /**
   * The path in the database: it begins with the number of the root (none for the first root) and has forward slashes.
   */
  path: string;
  type: SourceType | "captions";
};

export type FoundFile = FoundFilm & {
  size: number;
  modifiedMs: number;
  /** The real path of a film that was found through a link; null for all others. */
  linkTarget: string | null;
};

/** A root to search; `path` is its real path. */
export type SearchedRoot = { number: number; path: string };

type FoundPassedOver = { path: string; reason: (typeof passedOverReasons)[number] };

/** The result of searching a folder. */
export type SearchedFolder = {
  /** Includes empty files, because their names can be read. */
  files: FoundFile[];
  /** Files and folders that look like films but that the site does not take as films. */
  passedOver: FoundPassedOver[];
  /** How many further files and folders were passed over. */
  passedOverMore: number;
  /** Folders that were not read completely, so a film in them may exist although it was not found. */
  unread: Set<string>;
  /** Problems that an operator should fix, each as a sentence. */
  problems: string[];
};

const types: ReadonlyMap<string, FoundFilm["type"]> = new Map<string, FoundFilm["type"]>([
  ...[...filmFormats].map(([extension, { source }]) => [extension, source] as const),
  ...subtitleExtensions.map((extension) => [extension, "captions"] as const),
]);

/** The extensions of films and of subtitles beside them. */
export const filmExtensions: readonly string[] = [...types.keys()];

function filmTypeOf(path: string): FoundFilm["type"] {
  return isPlaylistPath(path) ? "hls" : (types.get(extensionOf(path)) ?? "file");
}

const discImages: ReadonlySet<string> = new Set(["img", "iso", "mdf", "nrg"]);
const discFolder = /^(?:bdmv|video_ts)$/i;

/** True for a path within the folder of a disc. */
export const isInDiscFolder = (path: string) => path.split("/").some((name) => discFolder.test(name));

/** Limits that no real collection of films reaches. */
const maxDepth = 12;
const maxFiles = 200_000;
/** More problems than an operator would read. */
const maxProblems = 100;
const maxPassedOver = 2_000;
const filesAtOnce = 16;

/** Searches a folder of this machine in the roots, or, if there is no root, any folder as if it were one. */
export async function searchDiskFolder(folder: string): Promise<Outcome<SearchedFolder>> {
  const inside = await findFolderInRoots(folder);
  if (!inside.ok) return inside;
  const roots: SearchedRoot[] = [];
  for (const root of await listFilmRoots()) {
    const path = await realRootPath(root).catch(() => null);
    if (path !== null) roots.push({ number: root.number, path });
  }
  if (roots.length === 0) roots.push({ number: firstRoot, path: await realpath(folder) });
  return done(await searchFolder(roots, { folder: inside.value }));
}

type SearchOptions = {
  /** The folder to search; "" means all roots. */
  folder?: string;
  /** Films behind links: from their real paths to the paths under which an earlier search found them. */
  linked?: ReadonlyMap<string, string>;
  /** Folders that cannot be read now. Links into them are not followed, since their disk may hang or be missing. */
  silent?: readonly string[];
  signal?: AbortSignal | undefined;
};

/** A folder to read: its real path, its path in the database, and the root that contains it. */
type Place = { real: string; path: string; rootIndex: number; depth: number; isLinked: boolean };

/**
 * Searches the roots in their order. Throws only if the folder itself, or a whole root, cannot be read, or if the signal
 * aborts.
 */
export const searchFolder = (
  roots: readonly SearchedRoot[],
  options: SearchOptions = {},
): Promise<SearchedFolder> => new FolderSearch(roots, options).run();

/** The state of one search. */
class FolderSearch {
  readonly #roots: readonly SearchedRoot[];
  readonly #options: SearchOptions;
  readonly #found: SearchedFolder = {
    files: [],
    passedOver: [],
    passedOverMore: 0,
    unread: new Set(),
    problems: [],
  };
  /** The real paths of folders and files found through links. */
  readonly #foundByLinks = new Set<string>();
  #entryCount = 0;

  constructor(roots: readonly SearchedRoot[], options: SearchOptions) {
    this.#roots = roots;
    this.#options = options;
  }

  async run(): Promise<SearchedFolder> {
    const { folder = "" } = this.#options;
    if (folder === "") await this.#searchRoots();
    else {
      const { root, inside } = splitRoot(folder);
      const index = this.#roots.findIndex(({ number }) => number === root);
      if (index >= 0) await this.#searchRoot(index, inside);
    }
    return this.#found;
  }

  async #searchRoots() {
    for (const [index, { number, path }] of this.#roots.entries())
      try {
        await this.#searchRoot(index, "");
      } catch (error) {
        // If other roots remain, a root that cannot be read does not end the scan.
        if (this.#options.signal?.aborted || this.#roots.length === 1) throw error;
        this.#leaveUnread(joinRoot(number, ""), `The folder ${path} cannot be read (${codeOf(error)}).`);
      }
  }

  async #searchRoot(rootIndex: number, inside: string) {
    const { number, path: rootPath } = this.#roots[rootIndex] as SearchedRoot;
    const direct = join(rootPath, inside);
    const real = await realpath(direct);
    const path = joinRoot(number, inside);
    if (real === direct) return this.#searchPlace({ real, path, rootIndex, depth: 0, isLinked: false });
    const holder = this.#holderOf(real);
    if (holder > rootIndex)
      return this.#searchPlace({ real, path, rootIndex: holder, depth: 0, isLinked: true });
    this.#leaveUnread(
      path,
      `${path} is behind a link. Its videos are found by their own path if that is in a media folder.`,
    );
  }

  async #searchPlace(place: Place) {
    let links: Place[] = [];
    await this.#search(place, links);
    // Links found behind other links are followed last, so that each film gets the shortest path that leads to it.
    while (links.length > 0) {
      const further: Place[] = [];
      for (const link of links) await this.#followLink(link, further);
      links = further;
    }
  }

  /** Collects the links that it finds in `links`. */
  async #search(place: Place, links: Place[]): Promise<void> {
    this.#options.signal?.throwIfAborted();
    const { real, path, depth, isLinked } = place;
    if (this.#foundByLinks.has(real)) return;
    const all = await readdir(real, { withFileTypes: true });
    const entries = all
      .filter(({ name }) => !name.startsWith("."))
      .sort((one, other) => (one.name < other.name ? -1 : 1));
    this.#entryCount += entries.length;
    const problem = this.#findExcess(depth);
    if (problem !== null) return this.#leaveUnread(path, `The folder ${path} ${problem}, so it is left out.`);
    if (isLinked) this.#foundByLinks.add(real);
    const within = ({ name }: Dirent): Place => ({
      ...place,
      real: join(real, name),
      path: path === "" ? name : `${path}/${name}`,
      depth: depth + 1,
    });
    const { hasPlaylist, films, others } = filmsAmong(entries);
    for (const some of chunksOf(films, filesAtOnce))
      await Promise.all(some.map((entry) => this.#addFile(within(entry))));
    // All other files here and in subfolders are the playlist's segments and variants.
    if (hasPlaylist) return;
    for (const hidden of all.filter(isHiddenFilm).map(within))
      this.#passOverName(hidden.path, "has a name that begins with a dot");
    for (const { path: other } of others.map(within)) {
      const extension = extensionOf(other);
      if (unplayedExtensions.has(extension)) this.#passOver(other, "format");
      else if (discImages.has(extension)) this.#passOver(other, "disc_image");
    }
    for (const entry of entries)
      if (entry.isDirectory()) await this.#searchBelow(within(entry), links);
      else if (entry.isSymbolicLink()) links.push(within(entry));
  }

  #findExcess(depth: number): string | null {
    if (depth > maxDepth) return "is too deep";
    if (this.#entryCount > maxFiles) return `is beyond the first ${maxFiles.toLocaleString("en")} files`;
    return null;
  }

  async #searchBelow(place: Place, links: Place[]) {
    const { real, path } = place;
    // A root within another root has its own number and is searched separately.
    if (this.#roots.some((root) => root.path === real)) return;
    if (discFolder.test(basename(real))) return this.#passOver(path, "disc_folder");
    try {
      await this.#search(place, links);
    } catch (error) {
      if (this.#options.signal?.aborted) throw error;
      this.#leaveUnread(path, `The folder ${path} cannot be read${reasonFor(path, error)}`);
    }
  }

  async #followLink(link: Place, links: Place[]) {
    this.#options.signal?.throwIfAborted();
    const { path, rootIndex } = link;
    const text = resolve(dirname(link.real), await readlink(link.real).catch(() => ""));
    if (this.#options.silent?.some((one) => liesIn(text, one))) {
      this.#found.unread.add(path);
      return;
    }
    const target = await realpath(link.real).catch(() => null);
    const entry = target === null ? null : await stat(target).catch(() => null);
    const extension = extensionOf(path);
    const isFilmName = types.has(extension) || extension === "";
    if (target === null || entry === null) {
      if (isFilmName) this.#passOver(path, "link_broken");
      return;
    }
    const holder = this.#holderOf(target);
    if (holder === -1) {
      if (entry.isDirectory() || types.has(extension)) this.#passOver(path, "link_outside");
      return;
    }
    if (holder <= rootIndex || this.#foundByLinks.has(target)) return;
    const place = { ...link, real: target, rootIndex: holder, isLinked: true };
    if (entry.isDirectory()) return this.#searchBelow(place, links);
    if (entry.isFile() && types.has(extension)) await this.#addFile(place);
  }

  /** The index of the root that contains a real path. -1 if none does, or if the path is hidden in its root. */
  #holderOf(target: string): number {
    // If roots lie within each other, the innermost one.
    const holders = this.#roots.filter((root) => liesIn(target, root.path));
    const holder = holders.sort((one, other) => other.path.length - one.path.length)[0];
    return holder && !isHiddenIn(target, holder.path) ? this.#roots.indexOf(holder) : -1;
  }

  async #addFile({ real, path, isLinked }: Place) {
    if ((this.#options.linked?.get(real) ?? path) !== path || this.#foundByLinks.has(real)) return;
    if (isLinked) this.#foundByLinks.add(real);
    if (/\p{Cc}/u.test(path)) return this.#passOverName(path, "has control characters in its name");
    try {
      const { size, mtimeMs } = await lstat(real);
      const type = filmTypeOf(path);
      if (size === 0 && type !== "captions") this.#passOver(path, "empty");
      const linkTarget = isLinked ? real : null;
      this.#found.files.push({ path, type, size, modifiedMs: Math.trunc(mtimeMs), linkTarget });
    } catch (error) {
      // The file was deleted while the folder was read.
      if (errorCodeOf(error) === "ENOENT" && !isUnreadableName(path)) return;
      if (isUnreadableName(path)) this.#passOver(path, "name");
      this.#addProblem(`${path} cannot be read${reasonFor(path, error)}`);
    }
  }

  #leaveUnread(path: string, problem: string) {
    this.#found.unread.add(path);
    this.#addProblem(problem);
  }

  #passOverName(path: string, problem: string) {
    this.#passOver(path, "name");
    this.#addProblem(`${path} ${problem}. Give it another name.`);
  }

  #passOver(path: string, reason: FoundPassedOver["reason"]) {
    if (this.#found.passedOver.length < maxPassedOver) this.#found.passedOver.push({ path, reason });
    else this.#found.passedOverMore++;
  }

  #addProblem(text: string) {
    if (this.#found.problems.length < maxProblems) this.#found.problems.push(text);
  }
}

const codeOf = (error: unknown) => errorCodeOf(error) || "unknown error";

/** Node replaces bytes that are not UTF-8, so the file cannot be opened by the name that Node returns. */
const isUnreadableName = (path: string) => path.includes("\ufffd");

const reasonFor = (path: string, error: unknown) =>
  isUnreadableName(path) ? ", because its name is not UTF-8. Give it another name." : ` (${codeOf(error)}).`;

/** `._Show.mkv` is what macOS notes about `Show.mkv`, so it is no film. */
const isHiddenFilm = (entry: Dirent) =>
  entry.isFile() && /^\.(?!_)/.test(entry.name) && filmFormats.has(extensionOf(entry.name));

function filmsAmong(entries: readonly Dirent[]) {
  const files = entries.filter((entry) => entry.isFile());
  const playlist = mainPlaylist(files.map(({ name }) => name));
  const isFilm = ({ name }: Dirent) =>
    playlist === undefined ? types.has(extensionOf(name)) : name === playlist;
  return {
    hasPlaylist: playlist !== undefined,
    films: files.filter(isFilm),
    others: files.filter((entry) => !isFilm(entry)),
  };
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

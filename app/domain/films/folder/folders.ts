/**
 * Paths of films and their folders, with forward slashes. A path of the first root is relative to it. A path of another
 * root begins with the root's number: `.2/Show/01.mkv`. The two cannot meet, because names that begin with a dot are
 * neither scanned nor served. For the same reason, files of other roots have no address under `/media/`.
 *
 * "" stands for all roots.
 */

export const folderOf = (path: string): string => path.slice(0, Math.max(0, path.lastIndexOf("/")));
/** The last part of a path: the name of a film's file, or of a folder in its folder. */
export const pathEndOf = (path: string): string => path.slice(path.lastIndexOf("/") + 1);

/** The folders that contain a path, the nearest first; the last one stands for all roots. */
export function foldersOf(path: string): string[] {
  const folders: string[] = [];
  for (let folder = folderOf(path); folder !== ""; folder = folderOf(folder)) folders.push(folder);
  return [...folders, ""];
}

export const firstRoot = 1;

/** The number of a path's root, and the path within it. */
export function splitRoot(path: string): { root: number; inside: string } {
  const [, number, inside = ""] = /^\.([2-9]|[1-9]\d{1,5})(?:\/(.*))?$/s.exec(path) ?? [];
  return number === undefined ? { root: firstRoot, inside: path } : { root: Number(number), inside };
}

export function joinRoot(root: number, inside: string): string {
  if (root === firstRoot) return inside;
  return inside === "" ? `.${root}` : `.${root}/${inside}`;
}

/** True for "" and for a whole root. */
export const isWholeRoot = (folder: string): boolean => splitRoot(folder).inside === "";

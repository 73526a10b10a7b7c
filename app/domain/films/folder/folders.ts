/** Folders of paths, relative to MEDIA_DIR; "" is MEDIA_DIR itself. */

export const folderOf = (path: string): string => path.slice(0, Math.max(0, path.lastIndexOf("/")));

/** The folders that contain a path, the nearest first; the last one is MEDIA_DIR itself. */
export function foldersOf(path: string): string[] {
  const folders: string[] = [];
  for (let folder = folderOf(path); folder !== ""; folder = folderOf(folder)) folders.push(folder);
  return [...folders, ""];
}

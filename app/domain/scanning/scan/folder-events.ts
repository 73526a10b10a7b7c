import { type FSWatcher, readdirSync, watch } from "node:fs";
import { join } from "node:path";
import { errorCodeOf } from "#app/platform/error-code.ts";

/**
 * Watches a folder and all its subfolders with file system events. `fs.watch` with `recursive` misses files in newly
 * created folders, so each folder has a watcher. An event is only a hint: a scan finds out what changed.
 */

export type FolderMessage =
  | { kind: "changed"; folder: string }
  | { kind: "watching"; folders: number }
  | { kind: "blind"; why: string };

/** The same depth as a scan. */
const maxDepth = 12;

export function watchFolders(root: string, tell: (message: FolderMessage) => void): () => void {
  const watchers = new Map<string, FSWatcher>();
  let isBlind = false;
  const at = (folder: string, name: string) => (folder === "" ? name : `${folder}/${name}`);

  function stopWatching(folder: string) {
    for (const [watched, watcher] of watchers)
      if (watched === folder || folder === "" || watched.startsWith(`${folder}/`)) {
        watcher.close();
        watchers.delete(watched);
      }
  }

  function beBlind(error: unknown) {
    if (isBlind) return;
    isBlind = true;
    stopWatching("");
    const code = errorCodeOf(error) || "unknown error";
    tell({
      kind: "blind",
      why:
        code === "ENOSPC" || code === "EMFILE"
          ? "the system watches no more folders (raise fs.inotify.max_user_watches)"
          : `the folder cannot be watched (${code})`,
    });
  }

  /** Watches a folder and its subfolders. Does nothing if the folder is gone. */
  function add(folder: string, depth: number): void {
    if (isBlind || depth > maxDepth || watchers.has(folder)) return;
    const path = join(root, folder);
    try {
      const watcher = watch(path, { persistent: true }, (_, name) => onEvent(folder, depth, name));
      watcher.on("error", () => stopWatching(folder));
      watchers.set(folder, watcher);
    } catch (error) {
      const code = errorCodeOf(error);
      // The folder is gone, or unreadable. A scan reports the latter.
      if (folder !== "" && (code === "ENOENT" || code === "ENOTDIR" || code === "EACCES")) return;
      beBlind(error);
      return;
    }
    for (const name of foldersIn(path)) add(at(folder, name), depth + 1);
  }

  function onEvent(folder: string, depth: number, name: string | null) {
    if (name?.startsWith(".")) return;
    tell({ kind: "changed", folder });
    const path = join(root, folder);
    const below = foldersIn(path);
    for (const one of below) add(at(folder, one), depth + 1);
    if (name !== null && !below.includes(name)) stopWatching(at(folder, name));
  }

  add("", 0);
  if (!isBlind) tell({ kind: "watching", folders: watchers.size });
  return () => stopWatching("");
}

function foldersIn(path: string): string[] {
  try {
    return readdirSync(path, { withFileTypes: true })
      .filter((entry) => entry.isDirectory() && !entry.name.startsWith("."))
      .map(({ name }) => name);
  } catch {
    return [];
  }
}

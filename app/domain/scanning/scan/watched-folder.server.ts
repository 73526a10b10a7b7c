import { stat, statfs } from "node:fs/promises";
import { Worker } from "node:worker_threads";
import { type FilmRoot, joinRoot } from "#app/domain/films/films.server.ts";
import { countText } from "#app/platform/count-text.ts";
import { errorFields, log } from "#app/platform/log.server.ts";
import { ownFilePath } from "#app/platform/process/own-files.server.ts";
import { seconds } from "#app/platform/units.ts";
import type { FolderMessage } from "./folder-events.ts";

/** Watches roots with file system events where the file system supports them. */

/**
 * Magic numbers from statfs(2): file systems that report no events for changes made by other machines, or no events at
 * all.
 */
const withoutEvents: ReadonlyMap<number, string> = new Map([
  [0x6969, "an NFS share"],
  [0xff534d42, "an SMB share"],
  [0xfe534d42, "an SMB share"],
  [0x517b, "an SMB share"],
  [0x65735546, "a FUSE file system"],
  [0x01021997, "a 9p file system"],
  [0x00c36400, "a Ceph file system"],
  [0x47504653, "a GPFS file system"],
]);

/** A folder is reported after `quietMs` without changes; one that keeps changing, every `maxQuietMs`. */
const quietMs = seconds(1);
const maxQuietMs = seconds(4);

/** The state of the events of each root, by its number. */
const states = new Map<number, string>();

/** Tells operators whether events work in a root, and why not. */
export const folderEventsText = (root: number): string => states.get(root) ?? "It is not watched.";

type Options = { root: FilmRoot; onChange: (folder: string) => void };

/**
 * Watches a root again after it was unmounted, mounted or replaced: events come from the watched folder, not from its
 * path.
 */
export function followRoot(options: Options) {
  let watched: string | null | undefined;
  let stop = () => {};
  let isEnded = false;
  const { root, onChange } = options;
  return {
    /** Checks whether the root is still the same folder. */
    async look() {
      const identity = await identityOf(root);
      if (identity === watched || isEnded) return;
      const isAnother = watched !== undefined;
      watched = identity;
      stop();
      stop = await watchRoot(options);
      if (isEnded) stop();
      else if (isAnother) onChange(joinRoot(root.number, ""));
    },
    end() {
      isEnded = true;
      stop();
      states.delete(root.number);
    },
  };
}

async function identityOf({ folder, read }: FilmRoot): Promise<string | null> {
  try {
    const { dev, ino } = await read(() => stat(folder));
    return `${dev} ${ino}`;
  } catch {
    return null;
  }
}

/** Returns a function that stops watching. */
async function watchRoot({ root, onChange }: Options): Promise<() => void> {
  const { number, folder } = root;
  try {
    const { type } = await root.read(() => statfs(folder));
    const kind = withoutEvents.get(Number(type) >>> 0);
    if (kind !== undefined) {
      states.set(
        number,
        `Changes are not noticed at once: the folder is on ${kind}, which does not report changes that others make.`,
      );
      return () => {};
    }
  } catch (error) {
    const why = (error as NodeJS.ErrnoException).code ?? "no answer";
    states.set(number, `Changes are not noticed at once: the folder cannot be read (${why}).`);
    return () => {};
  }
  const worker = new Worker(ownFilePath("build/server/folder-watcher.js"), {
    workerData: folder,
    resourceLimits: { maxOldGenerationSizeMb: 64 },
    execArgv: [],
  });
  worker.unref();
  const changes = collectChanges((inside) => onChange(joinRoot(number, inside)));
  worker.on("message", (message: FolderMessage) => {
    if (message.kind === "changed") return changes.add(message.folder);
    states.set(
      number,
      message.kind === "watching"
        ? `Changes in ${countText(message.folders, "folder")} are noticed at once.`
        : `Changes are not noticed at once: ${message.why}.`,
    );
    if (message.kind === "blind")
      log.warn("a folder of films is not watched by events", { folder, why: message.why });
  });
  worker.on("error", (error) => {
    states.set(number, "Changes are not noticed at once: the thread that watches the folder ended.");
    log.warn("a folder of films is not watched by events", { folder, ...errorFields(error) });
  });
  return () => {
    changes.end();
    void worker.terminate();
  };
}

/**
 * A new file causes many events. The folder is reported once it is quiet, or after `maxQuietMs` of continued changes.
 */
function collectChanges(onChange: (folder: string) => void) {
  const waiting = new Map<string, { timer: NodeJS.Timeout; since: number }>();
  return {
    add(folder: string) {
      const known = waiting.get(folder);
      if (known) clearTimeout(known.timer);
      const since = known?.since ?? performance.now();
      const restMs = Math.max(0, Math.min(quietMs, since + maxQuietMs - performance.now()));
      const timer = setTimeout(() => {
        waiting.delete(folder);
        onChange(folder);
      }, restMs).unref();
      waiting.set(folder, { timer, since });
    },
    end() {
      for (const { timer } of waiting.values()) clearTimeout(timer);
      waiting.clear();
    },
  };
}

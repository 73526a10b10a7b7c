import { stat, statfs } from "node:fs/promises";
import { Worker } from "node:worker_threads";
import { readWatched } from "#app/domain/films/films.server.ts";
import { errorFields, log } from "#app/platform/log.server.ts";
import { ownFilePath } from "#app/platform/process/own-files.server.ts";
import { seconds } from "#app/platform/units.ts";
import type { FolderMessage } from "./folder-events.ts";

/** Watches MEDIA_DIR with file system events where the file system supports them. */

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

let state = "It is not watched.";

/** Tells operators whether events work here and, if not, why. */
export const folderEventsText = (): string => state;

type Options = { folder: string; onChange: (folder: string) => void };

/**
 * Watches the folder again after it was unmounted, mounted or replaced: events come from the watched folder, not from
 * its path.
 */
export function followMediaDir(options: Options) {
  let watched: string | null | undefined;
  let stop = () => {};
  let isEnded = false;
  return {
    /** Checks whether MEDIA_DIR is still the same folder. */
    async look() {
      const found = await identityOf(options.folder);
      if (found === watched || isEnded) return;
      const isAnother = watched !== undefined;
      watched = found;
      stop();
      stop = await watchMediaDir(options);
      if (isEnded) stop();
      else if (isAnother) options.onChange("");
    },
    end() {
      isEnded = true;
      stop();
    },
  };
}

async function identityOf(folder: string): Promise<string | null> {
  try {
    const { dev, ino } = await readWatched(() => stat(folder));
    return `${dev} ${ino}`;
  } catch {
    return null;
  }
}

/** Returns a function that stops watching. */
async function watchMediaDir({ folder, onChange }: Options): Promise<() => void> {
  try {
    const { type } = await readWatched(() => statfs(folder));
    const kind = withoutEvents.get(Number(type) >>> 0);
    if (kind !== undefined) {
      state = `No events: the folder is on ${kind}, which does not tell of changes that others make.`;
      return () => {};
    }
  } catch (error) {
    state = `No events: the folder cannot be read (${(error as NodeJS.ErrnoException).code ?? "no answer"}).`;
    return () => {};
  }
  const worker = new Worker(ownFilePath("build/server/folder-watcher.js"), {
    workerData: folder,
    resourceLimits: { maxOldGenerationSizeMb: 64 },
    execArgv: [],
  });
  worker.unref();
  const changes = collectChanges(onChange);
  worker.on("message", (message: FolderMessage) => {
    if (message.kind === "changed") return changes.add(message.folder);
    state =
      message.kind === "watching"
        ? `Events tell of changes in ${message.folders === 1 ? "1 folder" : `${message.folders} folders`}.`
        : `No events: ${message.why}.`;
    if (message.kind === "blind") log.warn("MEDIA_DIR is not watched by events", { why: message.why });
  });
  worker.on("error", (error) => {
    state = "No events: the thread that watches the folder ended.";
    log.warn("MEDIA_DIR is not watched by events", errorFields(error));
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

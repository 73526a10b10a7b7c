import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { setPriority } from "node:os";
import { errorFields, log } from "#app/platform/log.server.ts";
import { ownFilePath } from "#app/platform/process/own-files.server.ts";
import { hours, seconds } from "#app/platform/units.ts";
import { configuredFeeds, listDueFeeds, makeDue } from "./feed-runs.server.ts";

/**
 * Reads due feeds in a process of its own, the tool `catalog-feeds`: a hostile file can fill or occupy that one only, and
 * pages stay quick.
 */

const askEveryMs = seconds(30);
const maxReadMs = hours(3);

let reader: ChildProcess | undefined;
let timer: NodeJS.Timeout | undefined;

/** Without feeds nothing is asked. */
export function startFeeds(): void {
  if (configuredFeeds.length === 0) return;
  timer = setInterval(readIfDue, askEveryMs).unref();
  readIfDue();
}

/** Ends the reader before the database, which it uses, too. The feed goes on at the next start. */
export async function stopFeeds(): Promise<void> {
  clearInterval(timer);
  timer = undefined;
  if (!reader) return;
  const ended = once(reader, "close");
  reader.kill("SIGTERM");
  await ended;
}

/** Reads a feed as soon as possible. Returns false if it is not configured. */
export async function readFeedNow(name: string): Promise<boolean> {
  const isKnown = await makeDue(name);
  // Other instances, and a process that has not started its feeds, leave it to the timer.
  if (isKnown && timer) readIfDue();
  return isKnown;
}

function readIfDue(): void {
  listDueFeeds()
    .then((due) => {
      if (due.length > 0 && timer && !reader) startReader();
    })
    .catch((error: unknown) =>
      log.warn("cannot ask which feeds of the catalog are due; asking again", errorFields(error)),
    );
}

function startReader() {
  const started = spawn(
    process.execPath,
    ["--max-old-space-size=256", ownFilePath("build/server/catalog-feeds.js"), "--for-site"],
    // The channel tells the reader when this process ends, however it ends.
    { stdio: ["ignore", "ignore", "inherit", "ipc"] },
  );
  reader = started;
  started.unref();
  started.channel?.unref();
  if (started.pid !== undefined) lowerPriority(started.pid);
  const limit = setTimeout(() => started.kill("SIGKILL"), maxReadMs).unref();
  const end = () => {
    clearTimeout(limit);
    if (reader === started) reader = undefined;
  };
  started.on("error", (error) => {
    log.error("cannot start the reader of feeds", errorFields(error));
    end();
  });
  started.on("close", (code, signal) => {
    if (code !== 0 && timer) log.warn("the reader of feeds ended early", { end: signal ?? code });
    end();
  });
}

function lowerPriority(pid: number) {
  try {
    setPriority(pid, 10);
  } catch {
    log.warnOnce("feed-priority", "cannot lower the priority of the reader of feeds");
  }
}

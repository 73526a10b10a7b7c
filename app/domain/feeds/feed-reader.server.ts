import type { ChildProcess } from "node:child_process";
import { errorFields, log } from "#app/platform/log.server.ts";
import { endChild } from "#app/platform/process/child-life.server.ts";
import { startTool } from "#app/platform/process/site-tool.server.ts";
import { hours, seconds } from "#app/platform/units.ts";
import { chooseFullCatalog } from "./chosen-feeds.server.ts";
import { listDueFeeds, makeDue } from "./feed-runs.server.ts";

/**
 * Reads due feeds in a separate process, the tool `catalog-feeds`. A hostile file can exhaust only that process, and
 * pages stay fast.
 */

const askEveryMs = seconds(30);
const maxReadMs = hours(3);

let reader: ChildProcess | undefined;
let timer: NodeJS.Timeout | undefined;

export function startFeeds(): void {
  timer = setInterval(readIfDue, askEveryMs).unref();
  readIfDue();
}

/**
 * Stops the reader. Call this before closing the database, which the reader uses. The next start continues the feed.
 */
export async function stopFeeds(): Promise<void> {
  clearInterval(timer);
  timer = undefined;
  if (reader) await endChild(reader);
}

/** Reads a feed as soon as possible. Returns false if it is not configured. */
export async function readFeedNow(name: string): Promise<boolean> {
  const isKnown = await makeDue(name);
  // A process without a timer does not read feeds; another instance reads this one.
  if (isKnown && timer) readIfDue();
  return isKnown;
}

/** Adds the full catalog as a feed and reads it as soon as possible. */
export async function fetchFullCatalog(choice: { isWeekly: boolean }): Promise<void> {
  await chooseFullCatalog(choice);
  if (timer) readIfDue();
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
  const started = startTool("catalog-feeds");
  reader = started;
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

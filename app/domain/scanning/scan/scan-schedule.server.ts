import type { ChildProcess } from "node:child_process";
import { setTimeout as sleep } from "node:timers/promises";
import {
  type FilmRoot,
  findLastWholeScan,
  findScanRequest,
  hasFilmRoots,
  listFilmRoots,
  mayChooseRoots,
  requestScan,
} from "#app/domain/films/films.server.ts";
import { errorFields, log } from "#app/platform/log.server.ts";
import { endChild, endIfSilent } from "#app/platform/process/child-life.server.ts";
import { env } from "#app/platform/process/env.server.ts";
import { startTool } from "#app/platform/process/site-tool.server.ts";
import { isStoppedCode } from "#app/platform/process/stop-signals.server.ts";
import { minutes, seconds } from "#app/platform/units.ts";
import { readFolderFacts } from "../folder-facts/folder-facts.server.ts";
import { settleWaitingFilms } from "./waiting-films.server.ts";
import { followRoot } from "./watched-folder.server.ts";

/**
 * Scans the roots at startup, on file system events, and every SCAN_EVERY. The scan runs in a separate process, the
 * tool `sources`, so that pages stay fast while it reads files and matches names.
 */

const tickMs = seconds(1);
/** How often requests from other instances and programs are noticed when nothing is waiting. */
const restMs = seconds(5);
const retryMs = minutes(5);
/** A newly mounted disk is noticed within this time plus `restMs`. */
const lookEveryMs = seconds(5);

/** A scanner that exits sooner than this has not scanned: another instance is scanning, or an error occurred. */
const leastLifeMs = seconds(5);

let scanner: ChildProcess | undefined;
/** True if a scan has ended since the files beside films were last read. */
let areFactsDue = false;
let factsReadAt = Number.NEGATIVE_INFINITY;
/** During a large copy, scans follow each other, and each may find new files beside films. */
const factsPauseMs = minutes(1);
let noScannerBefore = 0;
let wake = () => {};

/** Makes this site start a requested scan at once. In other processes, such as command-line tools, it does nothing. */
export const wakeScanner = () => wake();

/** Returns a function that stops scanning. The database connection must stay open until that has finished. */
export function startScanning(): () => Promise<void> {
  if (!hasFilmRoots() && !mayChooseRoots()) return async () => {};
  const ending = new AbortController();
  const request = (folder: string) =>
    void requestScan({ folder, reason: "events" })
      .then(wakeScanner)
      .catch((error) => log.warn("could not ask for a scan of films", errorFields(error)));
  const watching = followRoots(request);
  const end = run(ending.signal, watching);
  return async () => {
    ending.abort();
    wake();
    watching.end();
    if (scanner) await endChild(scanner);
    await end;
  };
}

/** Follows each root. Operators can choose and remove roots while the site runs; each choice requests a scan. */
function followRoots(onChange: (folder: string) => void) {
  const followed = new Map<FilmRoot, ReturnType<typeof followRoot>>();
  let isEnded = false;
  return {
    async look() {
      const roots = await listFilmRoots();
      for (const [root, following] of followed)
        if (!roots.includes(root)) {
          following.end();
          followed.delete(root);
        }
      for (const root of roots)
        if (!followed.has(root) && !isEnded) followed.set(root, followRoot({ root, onChange }));
      await Promise.all([...followed.values()].map((following) => following.look()));
    },
    end() {
      isEnded = true;
      for (const following of followed.values()) following.end();
    },
  };
}

async function run(signal: AbortSignal, watching: ReturnType<typeof followRoots>): Promise<void> {
  let facts = Promise.resolve();
  let hasStarted = false;
  let lookedAt = Number.NEGATIVE_INFINITY;
  while (!signal.aborted) {
    let isBusy = false;
    try {
      if (performance.now() - lookedAt >= lookEveryMs) {
        lookedAt = performance.now();
        await watching.look();
      }
      if ((await listFilmRoots()).length === 0) {
        await rest(restMs, signal);
        continue;
      }
      if (!hasStarted) await requestScan({ folder: "", reason: "start" });
      hasStarted = true;
      await requestIfDue();
      isBusy = (await settleWaitingFilms()) > 0;
      if (areFactsDue && !scanner && performance.now() - factsReadAt > factsPauseMs) {
        areFactsDue = false;
        factsReadAt = performance.now();
        facts = facts.then(() => readFolderFacts(signal)).catch(warnAboutFacts);
      }
      const mayStart = !scanner && !signal.aborted && performance.now() >= noScannerBefore;
      if (mayStart && (await findScanRequest()) !== null) startScanner();
    } catch (error) {
      log.warnOnce("scan-schedule", "could not look for scans of films", errorFields(error));
    }
    await rest(isBusy || scanner ? tickMs : restMs, signal);
  }
  await facts;
}

const warnAboutFacts = (error: unknown) =>
  log.warnOnce("folder-facts", "could not read the files beside films", errorFields(error));

/** Ends early when something wakes the scanner. */
async function rest(ms: number, signal: AbortSignal) {
  const resting = new AbortController();
  wake = () => resting.abort();
  if (signal.aborted) return;
  await sleep(ms, undefined, { signal: resting.signal, ref: false }).catch(() => {});
}

let askedAt = 0;

async function requestIfDue(): Promise<void> {
  if (Date.now() - askedAt < minutes(1)) return;
  askedAt = Date.now();
  const last = await findLastWholeScan();
  const intervalMs = last?.isGood ? minutes(env.SCAN_EVERY) : Math.min(retryMs, minutes(env.SCAN_EVERY));
  if (env.SCAN_EVERY > 0 && (last?.startedAt.getTime() ?? 0) + intervalMs <= Date.now())
    await requestScan({ folder: "", reason: "schedule" });
}

function startScanner() {
  const started = startTool("sources", ["scan"]);
  scanner = started;
  let isHung = false;
  endIfSilent(started, (folder) => {
    isHung = true;
    log.error("the scan of films hung and was ended", { folder: folder || "unknown" });
  });
  const startedAt = performance.now();
  const end = () => {
    if (scanner === started) scanner = undefined;
    areFactsDue = true;
    if (performance.now() - startedAt < leastLifeMs) noScannerBefore = performance.now() + restMs;
    // The next scan comes to the same film.
    if (isHung) noScannerBefore = performance.now() + retryMs;
    wake();
  };
  started.on("error", (error) => {
    log.error("cannot start the scan of films", errorFields(error));
    end();
  });
  started.on("close", (code, signal) => {
    if (!isHung && code !== 0 && !isStoppedCode(code) && signal !== "SIGTERM")
      log.warn("the scan of films ended early", { end: signal ?? code });
    end();
  });
}

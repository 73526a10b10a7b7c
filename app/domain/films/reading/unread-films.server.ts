import { setTimeout as sleep } from "node:timers/promises";
import { LRUCache } from "lru-cache";
import { errorFields, log } from "#app/platform/log.server.ts";
import { env } from "#app/platform/process/env.server.ts";
import { hours, seconds } from "#app/platform/units.ts";
import { SilentFolder } from "../folder/answering-folder.server.ts";
import { canReadFilms } from "../folder/film-workers.server.ts";
import { type Film, listUnreadFilms } from "../records/film-records.server.ts";
import { readFilm } from "./inspected-films.server.ts";

/** Reads films that nobody has opened yet, one at a time, so that operators soon see what they hold and how they play. */

const askEveryMs = seconds(15);
const filmsPerRound = 100;
/** What could not be read is left alone for a while: its file is missing, or its disk was too slow. */
const failed = new LRUCache<string, true>({ max: 10_000, ttl: hours(1) });

/** Returns what ends it. The database must not end before that is done. */
export function startReadingFilms(): () => Promise<void> {
  if (!canReadFilms || env.MEDIA_DIR === undefined) return async () => {};
  const ending = new AbortController();
  const end = (async () => {
    while (!ending.signal.aborted) {
      await readUnreadFilms(ending.signal).catch((error) =>
        log.warn("could not look for films that were not read yet", errorFields(error)),
      );
      await sleep(askEveryMs, undefined, { signal: ending.signal, ref: false }).catch(() => {});
    }
  })();
  return () => {
    ending.abort();
    return end;
  };
}

let hasReadOlder = false;

export async function readUnreadFilms(signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    const without = [...failed.keys()];
    const never = await listUnreadFilms("never", without, filmsPerRound);
    const unread =
      never.length > 0 || hasReadOlder ? never : await listUnreadFilms("before", without, filmsPerRound);
    if (never.length === 0 && unread.length === 0) hasReadOlder = true;
    if (unread.length === 0) return;
    for (const film of unread) if (signal.aborted || !(await readWithPause(film))) return;
  }
}

/** False: the folder does not answer. */
async function readWithPause(film: Film): Promise<boolean> {
  const startedAt = performance.now();
  try {
    const read = await readFilm(film, { isAwaited: false });
    if (!read) failed.set(film.id, true);
  } catch (error) {
    if (error instanceof SilentFolder) return false;
    failed.set(film.id, true);
    log.warn("a film could not be read", { film: film.id, ...errorFields(error) });
  }
  // The disk and the processor are free for viewers at least half of the time.
  await sleep(Math.min(seconds(5), performance.now() - startedAt));
  return true;
}

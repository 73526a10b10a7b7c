import { setTimeout as sleep } from "node:timers/promises";
import { createSparseLru } from "#app/platform/cache/sparse-lru.ts";
import { errorFields, log } from "#app/platform/log.server.ts";
import { hours, seconds } from "#app/platform/units.ts";
import { SilentFolder } from "../folder/answering-folder.server.ts";
import { canReadFilms } from "../folder/film-workers.server.ts";
import { hasFilmRoots } from "../folder/roots.server.ts";
import { type Film, listUnreadFilms } from "../records/film-records.server.ts";
import { readFilm } from "./inspected-films.server.ts";

/** Reads films that nobody has opened yet, one at a time, so that operators soon see their tracks and how they play. */

const askEveryMs = seconds(15);
/**
 * Films that could not be read, for example because the file was missing or the disk too slow. They are retried after
 * an hour.
 */
const failed = createSparseLru<string, true>({ max: 10_000, ttl: hours(1) });

/** Returns a function that stops the reading. Await it before closing the database. */
export function startReadingFilms(): () => Promise<void> {
  if (!canReadFilms) return async () => {};
  const ending = new AbortController();
  const end = (async () => {
    while (!ending.signal.aborted) {
      if (hasFilmRoots())
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
    const never = await listUnreadFilms("never", without);
    const unread = never.length > 0 || hasReadOlder ? never : await listUnreadFilms("before", without);
    if (unread.length === 0) {
      hasReadOlder = true;
      return;
    }
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
  // Leaves the disk and the processor to viewers for about half of the time.
  await sleep(Math.min(seconds(5), performance.now() - startedAt));
  return true;
}

import type { FilmAnswer, FilmOrder } from "#app/media/film-work/film-job.ts";
import { gauge, histogram } from "#app/platform/metrics.server.ts";
import { ChildError, ChildPool, type ChildTurn } from "#app/platform/process/child-pool.server.ts";
import { memoryPlan } from "#app/platform/process/memory.server.ts";
import { seconds } from "#app/platform/units.ts";

/** The child processes that read films. */

/**
 * Orders of one account, or of visitors at one address, in the queue. A player requests a few segments at a time, and a
 * household has six players.
 */
const maxCutsPerClient = 16;

const pool = new ChildPool<FilmOrder, FilmAnswer>({
  file: "build/server/film-child.js",
  children: memoryPlan.filmChildren,
  memoryMb: memoryPlan.filmChild,
  queueLength: 128,
  clientLength: maxCutsPerClient,
});
const durations = histogram(
  "film_seconds",
  "From an order to the answer of a child process that reads films",
  [0.01, 0.03, 0.1, 0.3, 1, 3, 10],
  ["kind"],
);
gauge("film_children_most", "Child processes that may read films at once", () => memoryPlan.filmChildren);

/** False if the machine has too little memory for the children. */
export const canReadFilms = memoryPlan.filmChildren > 0;

const timeouts: Record<FilmOrder["kind"], number> = {
  probe: seconds(5),
  inspect: seconds(10),
  index: seconds(20),
  lines: seconds(20),
  head: seconds(10),
  "piece-head": seconds(10),
  piece: seconds(20),
  init: seconds(10),
  segment: seconds(20),
};

export async function orderFilm(order: FilmOrder, turn: Omit<ChildTurn, "timeoutMs">) {
  const startedAt = performance.now();
  try {
    const allowed = { ...turn, timeoutMs: timeouts[order.kind] };
    return await pool.run(order, allowed).catch((error) => {
      // Retries once: the previous film may have filled the child's memory, or the system may have killed the child.
      if (error instanceof ChildError && error.failure === "crashed") return pool.run(order, allowed);
      throw error;
    });
  } finally {
    durations.observe({ kind: order.kind }, (performance.now() - startedAt) / 1000);
  }
}

/** Too many orders of this client wait, or of all clients. */
export const isFilmQueueFull = (error: unknown): boolean =>
  error instanceof ChildError && error.failure === "overloaded";

export { ChildError };

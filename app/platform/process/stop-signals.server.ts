import { seconds } from "../units.ts";

/** A service manager, Ctrl-C and a closed terminal ask the process to end. */
const stopSignals = ["SIGTERM", "SIGINT", "SIGHUP"] as const;
export type StopSignal = (typeof stopSignals)[number];

/**
 * One request to end can arrive several times: a terminal signals the whole process group, npm passes its own signal on
 * to us, and its end is a signal, too.
 */
const sameRequestMs = seconds(1);

/**
 * Calls `stop` at the first signal. `hurry` is aborted when somebody asks again, because the first request takes too
 * long.
 */
export function onStopSignal(stop: (signal: StopSignal, hurry: AbortSignal) => void): void {
  const hurry = new AbortController();
  let askedAt: number | undefined;
  const ask = (signal: StopSignal) => {
    if (askedAt === undefined) {
      askedAt = performance.now();
      stop(signal, hurry.signal);
    } else if (performance.now() - askedAt >= sameRequestMs) hurry.abort();
  };
  for (const signal of stopSignals) process.on(signal, ask);
}

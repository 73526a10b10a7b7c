import { constants } from "node:os";
import { seconds } from "../units.ts";

/** The signals of a service manager, Ctrl-C and a closed terminal. */
const stopSignals = ["SIGTERM", "SIGINT", "SIGHUP"] as const;
export type StopSignal = (typeof stopSignals)[number];

/**
 * One stop request can arrive as several signals: a terminal signals the whole process group, npm forwards its own
 * signal, and when npm ends, another signal follows.
 */
const sameRequestMs = seconds(1);

/** Calls `stop` at the first signal. A later signal aborts `hurry`, because stopping takes too long. */
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

/** Whether a tool that ended with this code was stopped by a signal, such as the one that a terminal sends to all. */
export const isStoppedCode = (code: number | null): boolean =>
  stopSignals.some((signal) => code === 128 + constants.signals[signal]);

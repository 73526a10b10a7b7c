import { setTimeout as wait } from "node:timers/promises";

/** The queue's clock. Tests use a fake one, because they cannot wait for an outage of two hours. */
export type QueueClock = {
  now(): Date;
  /** Ends early when the signal aborts. */
  sleep(ms: number, signal: AbortSignal): Promise<unknown>;
};

/** A run through the queue. The signal ends it early. */
export type QueueRun = { clock: QueueClock; signal: AbortSignal };

export const realClock: QueueClock = {
  now: () => new Date(),
  sleep: (ms, signal) => wait(ms, undefined, { signal, ref: false }).catch(() => {}),
};

export const after = ({ now }: QueueClock, ms: number): Date => new Date(now().getTime() + ms);

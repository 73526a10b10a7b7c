import { abortable } from "../upstream/abortable.ts";

type Work<Result> = { waiting: number; result: Promise<Result>; stop: () => void };

/**
 * Callers that request the same thing share one work. The work continues when some callers leave, and is aborted when
 * all have left. `whenAllLeft` can abort it later: it gets a function that aborts the work unless another caller has
 * joined, and always the same one for the same work. If `isOnlyOfStarter` says that a result is only for the caller that
 * started the work (a refusal by that caller's limits), one of the other callers starts the work again. The same for
 * `isErrorOnlyOfStarter` and an error.
 */
export function createSharedWork<Result>(
  isOnlyOfStarter: (result: Result) => boolean = () => false,
  isErrorOnlyOfStarter: (error: unknown) => boolean = () => false,
  whenAllLeft: (stop: () => void) => void = (stop) => stop(),
) {
  const works = new Map<string, Work<Result>>();

  function begin(key: string, start: (signal: AbortSignal) => Promise<Result>): Work<Result> {
    const leaving = new AbortController();
    const forget = () => {
      if (works.get(key) === work) works.delete(key);
    };
    const stop = () => {
      if (work.waiting > 0) return;
      // Later callers must not join the aborted work.
      forget();
      leaving.abort();
    };
    const work: Work<Result> = { waiting: 0, result: start(leaving.signal), stop };
    works.set(key, work);
    work.result.then(forget, forget);
    return work;
  }

  function waitFor(work: Work<Result>, signal: AbortSignal | undefined): Promise<Result> {
    work.waiting++;
    if (!signal) return work.result;
    const leave = () => {
      work.waiting--;
      if (work.waiting === 0) whenAllLeft(work.stop);
    };
    if (signal.aborted) leave();
    else signal.addEventListener("abort", leave, { once: true });
    return abortable(work.result, signal).finally(() => signal.removeEventListener("abort", leave));
  }

  /** A caller without a signal never leaves. `start` gets a signal that aborts when all callers have left. */
  return async function share(
    key: string,
    signal: AbortSignal | undefined,
    start: (signal: AbortSignal) => Promise<Result>,
  ): Promise<Result> {
    const begun = works.get(key);
    if (!begun) return waitFor(begin(key, start), signal);
    try {
      const result = await waitFor(begun, signal);
      if (!isOnlyOfStarter(result)) return result;
    } catch (error) {
      if (!isErrorOnlyOfStarter(error)) throw error;
    }
    return share(key, signal, start);
  };
}

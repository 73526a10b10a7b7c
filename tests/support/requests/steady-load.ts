/**
 * Sends a fixed number of requests per second, independently of the answers, and records every outcome. A test that
 * needs a definite result limits the requests under way at once, so that a slow machine gets fewer requests instead of
 * a crowd.
 */

export type RequestOutcome = { number: number; status: number | undefined; ms: number; error?: string };

export function startSteadyLoad(
  perSecond: number,
  ask: (number: number) => Promise<number>,
  { atOnce = Number.POSITIVE_INFINITY } = {},
) {
  const outcomes: RequestOutcome[] = [];
  const pending = new Set<Promise<void>>();
  let number = 0;
  const send = async (itsNumber: number) => {
    const startedAt = performance.now();
    const note = (outcome: Pick<RequestOutcome, "status" | "error">) =>
      outcomes.push({ number: itsNumber, ms: performance.now() - startedAt, ...outcome });
    await ask(itsNumber).then(
      (status) => note({ status }),
      (error) => note({ status: undefined, error: reasonOf(error) }),
    );
  };
  const timer = setInterval(() => {
    if (pending.size >= atOnce) return;
    const request = send(number++).finally(() => pending.delete(request));
    pending.add(request);
  }, 1000 / perSecond);
  return {
    /** The outcomes of the requests that have ended so far. */
    outcomes,
    async stop(): Promise<RequestOutcome[]> {
      clearInterval(timer);
      await Promise.all(pending);
      return outcomes;
    },
  };
}

const reasonOf = (error: Error) => ((error.cause ?? error) as NodeJS.ErrnoException).code ?? error.message;

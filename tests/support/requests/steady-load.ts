/** Sends a fixed number of requests a second, whatever the answers are, and records every outcome. */

export type RequestOutcome = { number: number; status: number | undefined; ms: number; error?: string };

export function startSteadyLoad(perSecond: number, ask: (number: number) => Promise<number>) {
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
    const request = send(number++).finally(() => pending.delete(request));
    pending.add(request);
  }, 1000 / perSecond);
  return {
    /** The requests that have ended so far. */
    outcomes,
    async stop(): Promise<RequestOutcome[]> {
      clearInterval(timer);
      await Promise.all(pending);
      return outcomes;
    },
  };
}

const reasonOf = (error: Error) => ((error.cause ?? error) as NodeJS.ErrnoException).code ?? error.message;

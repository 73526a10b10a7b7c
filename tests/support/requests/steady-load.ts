/** So many requests a second, whatever becomes of them; what did is kept. */

export type Asked = { number: number; status: number | undefined; ms: number; error?: string };

export function keepAsking(perSecond: number, ask: (number: number) => Promise<number>) {
  const asked: Asked[] = [];
  const underWay = new Set<Promise<void>>();
  let number = 0;
  const one = async (ofThem: number) => {
    const startedAt = performance.now();
    const note = (outcome: Pick<Asked, "status" | "error">) =>
      asked.push({ number: ofThem, ms: performance.now() - startedAt, ...outcome });
    await ask(ofThem).then(
      (status) => note({ status }),
      (error) => note({ status: undefined, error: reasonOf(error) }),
    );
  };
  const timer = setInterval(() => {
    const asking = one(number++).finally(() => underWay.delete(asking));
    underWay.add(asking);
  }, 1000 / perSecond);
  return {
    /** Those that have ended so far. */
    asked,
    async stop(): Promise<Asked[]> {
      clearInterval(timer);
      await Promise.all(underWay);
      return asked;
    },
  };
}

const reasonOf = (error: Error) => ((error.cause ?? error) as NodeJS.ErrnoException).code ?? error.message;

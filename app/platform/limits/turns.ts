/** Runs at most `most` works at the same time. The others wait in the order in which they came. */
export function createTurns(most: number) {
  let running = 0;
  const waiting: (() => void)[] = [];
  return async function inTurn<Value>(work: () => Promise<Value>): Promise<Value> {
    if (running < most) running++;
    else await new Promise<void>((begin) => waiting.push(begin));
    try {
      return await work();
    } finally {
      const next = waiting.shift();
      if (next) next();
      else running--;
    }
  };
}

/**
 * Limits the total time that one caller waits for one thing, over any number of waits. Overlapping waits count once.
 * When the limit is reached, every running wait and every later one fails.
 */
export class WaitLimit {
  readonly #maxMs: number;
  #usedMs = 0;
  #waits = 0;
  #since = 0;
  #isReached = false;
  #isLifted = false;

  constructor(maxMs: number) {
    this.#maxMs = maxMs;
  }

  leftMs(): number {
    if (this.#isReached) return 0;
    if (this.#isLifted) return Number.POSITIVE_INFINITY;
    const runningMs = this.#waits > 0 ? performance.now() - this.#since : 0;
    return Math.max(0, this.#maxMs - this.#usedMs - runningMs);
  }

  /** Removes the limit, unless it has already been reached: abandoned work must not continue. */
  lift(): void {
    this.#isLifted = true;
  }

  /** Counts time until the returned function is called. */
  begin(): () => void {
    if (this.#waits === 0) this.#since = performance.now();
    this.#waits += 1;
    return () => {
      this.#waits -= 1;
      if (this.#waits === 0) this.#usedMs += performance.now() - this.#since;
    };
  }

  /**
   * Settles like `work`, or rejects with `late()` when the limit is reached. In that case `work` is not started, or
   * continues without a caller.
   */
  async within<Value>(work: () => Promise<Value>, late: () => Error): Promise<Value> {
    const leftMs = this.leftMs();
    if (leftMs === 0) {
      this.#isReached = true;
      throw late();
    }
    if (this.#isLifted) return work();
    const end = this.begin();
    let timer: NodeJS.Timeout | undefined;
    const reached = new Promise<never>((_, reject) => {
      timer = setTimeout(() => {
        if (this.#isLifted) return;
        this.#isReached = true;
        reject(late());
      }, leftMs);
    });
    try {
      return await Promise.race([work(), reached]);
    } finally {
      clearTimeout(timer);
      end();
    }
  }
}

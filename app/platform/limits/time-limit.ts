/** Settles like `work`, or rejects with `late()` after `maxMs`. In that case `work` continues without a caller. */
export async function withTimeLimit<Value>(
  work: PromiseLike<Value>,
  maxMs: number,
  late: () => Error,
): Promise<Value> {
  let timer: NodeJS.Timeout | undefined;
  const reached = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(late()), maxMs);
  });
  try {
    return await Promise.race([work, reached]);
  } finally {
    clearTimeout(timer);
  }
}

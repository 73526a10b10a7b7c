/** Rejects at once if the signal aborts. undici and the resolver notice an abort only after they have connected. */
export function abortable<T>(
  work: Promise<T>,
  signal: AbortSignal,
  discard: (late: T) => void = () => {},
): Promise<T> {
  return new Promise((resolve, reject) => {
    const giveUp = () => {
      work.then(discard, () => {});
      reject(signal.reason);
    };
    if (signal.aborted) return giveUp();
    signal.addEventListener("abort", giveUp, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener("abort", giveUp));
  });
}

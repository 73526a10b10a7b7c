/**
 * Runs `work` once for any number of calls. Those that come while it runs are answered by one more run, which sees what
 * they were made for. `work` handles its own errors.
 */
export function oneAtATime(work: () => Promise<void>): () => Promise<void> {
  let isRunning = false;
  let isAsked = false;
  return async () => {
    isAsked = true;
    if (isRunning) return;
    isRunning = true;
    try {
      while (isAsked) {
        isAsked = false;
        await work();
      }
    } finally {
      isRunning = false;
    }
  };
}

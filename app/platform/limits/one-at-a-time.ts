/**
 * Runs `work` at most once at a time. Calls that come while it runs cause one more run, which also sees their changes.
 * `work` handles its own errors.
 */
export function oneAtATime(work: () => Promise<void>): () => Promise<void> {
  let isRunning = false;
  let isDue = false;
  return async () => {
    isDue = true;
    if (isRunning) return;
    isRunning = true;
    try {
      while (isDue) {
        isDue = false;
        await work();
      }
    } finally {
      isRunning = false;
    }
  };
}

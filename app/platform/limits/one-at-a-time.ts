/**
 * Runs `work` at most once at a time. Calls that come while it runs cause one more run, which also sees their changes,
 * and return when that has ended. `work` handles its own errors.
 */
export function oneAtATime(work: () => Promise<void>): () => Promise<void> {
  let running: Promise<void> | undefined;
  let isDue = false;
  const run = async () => {
    try {
      while (isDue) {
        isDue = false;
        await work();
      }
    } finally {
      running = undefined;
    }
  };
  return () => {
    isDue = true;
    running ??= run();
    return running;
  };
}

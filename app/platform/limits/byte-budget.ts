/**
 * Reserves memory for bytes that arrive from outside. False: the budget is used up, and the caller must refuse the
 * bytes.
 */
export type AdmitBytes = (bytes: number) => boolean;

/** Limits how many such bytes are in memory at once. Each work gives back all its bytes when it ends. */
export function createByteBudget(maxBytes: number) {
  let held = 0;
  async function withBudget<T>(work: (admit: AdmitBytes) => Promise<T>): Promise<T> {
    let admitted = 0;
    const admit = (bytes: number) => {
      if (held + bytes > maxBytes) return false;
      held += bytes;
      admitted += bytes;
      return true;
    };
    try {
      return await work(admit);
    } finally {
      held -= admitted;
    }
  }
  return Object.assign(withBudget, { held: () => held });
}

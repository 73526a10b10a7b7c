/** How much of what strangers send may be in memory at once. Work that holds bytes gives them all back at its end. */
export type AdmitBytes = (bytes: number) => boolean;

export function createByteBudget(mostBytes: number) {
  let held = 0;
  async function holding<T>(work: (admit: AdmitBytes) => Promise<T>): Promise<T> {
    let mine = 0;
    const admit = (bytes: number) => {
      if (held + bytes > mostBytes) return false;
      held += bytes;
      mine += bytes;
      return true;
    };
    try {
      return await work(admit);
    } finally {
      held -= mine;
    }
  }
  return Object.assign(holding, { held: () => held });
}

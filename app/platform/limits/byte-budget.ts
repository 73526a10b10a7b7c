import { createFairShare, type ShareLimits } from "./fair-share.ts";

/**
 * Reserves memory for bytes that arrive from outside. Returns false if the client's share or the whole budget is used
 * up; the caller must then refuse the bytes.
 */
export type AdmitBytes = (bytes: number) => boolean;

/**
 * Limits how many such bytes are in memory at once. `withBudget` releases all bytes of a work when it ends, or `restMs`
 * after it has succeeded.
 */
export function createByteBudget(limits: ShareLimits, { restMs = 0 } = {}) {
  const share = createFairShare(limits);
  async function withBudget<T>(client: string, work: (admit: AdmitBytes) => Promise<T>): Promise<T> {
    const releases: (() => void)[] = [];
    const admit = (bytes: number) => {
      const giveBack = share.take(client, bytes);
      if (giveBack) releases.push(giveBack);
      return giveBack !== null;
    };
    const giveBackAll = () => {
      for (const giveBack of releases) giveBack();
    };
    try {
      const result = await work(admit);
      if (restMs > 0 && releases.length > 0) setTimeout(giveBackAll, restMs).unref();
      else giveBackAll();
      return result;
    } catch (error) {
      giveBackAll();
      throw error;
    }
  }
  return Object.assign(withBudget, { held: share.held });
}

export type Hit = { count: number; resetsInMs: number };

type Window = { count: number; endsAt: number };

/** Monotonic: with the time of day, a clock that is set back would keep a client blocked for as long. */
const monotonicNow = () => performance.now();

/**
 * Counts hits for each key in fixed windows. Keeps at most `maxKeys` keys, because clients can invent new ones without
 * limit.
 */
export function createFixedWindow({ maxKeys, now = monotonicNow }: { maxKeys: number; now?: () => number }) {
  const windows = new Map<string, Window>();

  /** A Map iterates in the order of insertion, so windows that have ended or end soonest come first. */
  function makeRoom(at: number) {
    for (const [key, window] of windows) {
      if (window.endsAt > at && windows.size < maxKeys) return;
      windows.delete(key);
    }
  }

  return {
    get size() {
      return windows.size;
    },
    hit(key: string, lengthMs: number): Hit {
      const at = now();
      let window = windows.get(key);
      if (!window || window.endsAt <= at) {
        windows.delete(key);
        makeRoom(at);
        window = { count: 0, endsAt: at + lengthMs };
        windows.set(key, window);
      }
      window.count += 1;
      return { count: window.count, resetsInMs: window.endsAt - at };
    },
  };
}

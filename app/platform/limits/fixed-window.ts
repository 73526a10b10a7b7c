/** Counts hits in fixed windows, bounded in keys whatever the callers send. */
export type Hit = { count: number; resetsInMs: number };

type Window = { count: number; endsAt: number };

export function createFixedWindow({ maxKeys, now = Date.now }: { maxKeys: number; now?: () => number }) {
  const windows = new Map<string, Window>();

  /** Windows stand in the order they were opened, so the ended ones, and the nearest to ending, come first. */
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

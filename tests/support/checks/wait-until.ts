import { setTimeout as pause } from "node:timers/promises";

/** Waits until a number stops changing, for example the bytes that an upstream has sent. */
export async function settled(read: () => number): Promise<number> {
  for (let last = Number.NaN, quiet = 0; ; ) {
    const now = read();
    quiet = now === last ? quiet + 1 : 0;
    last = now;
    if (quiet === 10) return now;
    await pause(20);
  }
}

/** Waits until `holds` returns true. The time limit of the test ends the wait. */
export async function until(holds: () => boolean | Promise<boolean>) {
  while (!(await holds())) await pause(5);
}

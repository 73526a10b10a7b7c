import { setPriority } from "node:os";

/** Lets the server run first. On Linux each thread has a priority; elsewhere this would slow down the server too. */
export function lowerThreadPriority() {
  if (process.platform === "linux") setPriority(10);
}

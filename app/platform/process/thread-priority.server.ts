import { setPriority } from "node:os";

/**
 * Lowers the priority of this thread, so that the server runs first. On Linux each thread has its own priority;
 * elsewhere this would slow down the server too.
 */
export function lowerThreadPriority() {
  if (process.platform === "linux") setPriority(10);
}

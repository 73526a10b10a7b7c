import { execFileSync } from "node:child_process";

/** Returns false also for a process that has ended and whose parent has not collected it yet (state Z). */
export function isAlive(pid: number): boolean {
  try {
    return !execFileSync("ps", ["-o", "stat=", "-p", String(pid)], { encoding: "utf8" }).startsWith("Z");
  } catch {
    return false;
  }
}

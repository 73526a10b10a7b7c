import { execFileSync } from "node:child_process";

/** A process that has ended and that its parent has not noticed yet (Z) counts as ended. */
export function isAlive(pid: number): boolean {
  try {
    return !execFileSync("ps", ["-o", "stat=", "-p", String(pid)], { encoding: "utf8" }).startsWith("Z");
  } catch {
    return false;
  }
}

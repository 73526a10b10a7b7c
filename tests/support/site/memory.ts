import { readFileSync } from "node:fs";
import type { Site } from "./site-process.ts";

/** Memory that a server holds, as Linux counts it. */
export const residentMiB = ({ process }: Site) =>
  Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${process.pid}/status`, "utf8"))?.[1]) / 1024;

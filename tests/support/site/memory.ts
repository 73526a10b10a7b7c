import { readFileSync } from "node:fs";
import type { Site } from "./site-process.ts";

/** The resident memory of a server, read from Linux's /proc. */
export const residentMiB = ({ process }: Site) =>
  Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${process.pid}/status`, "utf8"))?.[1]) / 1024;

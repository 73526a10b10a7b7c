import { execFileSync } from "node:child_process";

/** The arguments with which `npm start` starts Node, so that the heap stays within MEMORY. */
export function heapFlags(settings: NodeJS.ProcessEnv) {
  const env = { ...process.env, NODE_ENV: "production", ...settings };
  const printed = execFileSync(process.execPath, ["build/server/heap-flags.js"], { env, encoding: "utf8" });
  return printed.trim().split(" ");
}

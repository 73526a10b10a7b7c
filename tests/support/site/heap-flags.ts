import { execFileSync } from "node:child_process";

/** The Node arguments with which `npm start` limits the heap to fit MEMORY. */
export function heapFlags(settings: NodeJS.ProcessEnv) {
  const env = { ...process.env, NODE_ENV: "production", ...settings };
  const printed = execFileSync(process.execPath, ["build/server/heap-flags.js"], { env, encoding: "utf8" });
  return printed.trim().split(" ");
}

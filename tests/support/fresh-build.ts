import { execFileSync } from "node:child_process";
import { existsSync, readdirSync, statSync } from "node:fs";
import { join, resolve } from "node:path";

/** Integration tests and journeys run against the production build; this makes it when it is missing or old. */

const root = resolve(import.meta.dirname, "../..");
const sources = ["app", "db", "public", "package-lock.json", "react-router.config.ts", "vite.config.ts"];

function newestChange(path: string): number {
  if (!existsSync(path)) return 0;
  const entry = statSync(path);
  if (!entry.isDirectory()) return entry.mtimeMs;
  // A folder's own time tells of files removed.
  return Math.max(entry.mtimeMs, ...readdirSync(path).map((name) => newestChange(join(path, name))));
}

export default function setup() {
  const built = join(root, "build/server/application.js");
  const isFresh =
    existsSync(built) &&
    statSync(built).mtimeMs > Math.max(...sources.map((name) => newestChange(join(root, name))));
  if (isFresh) return;
  execFileSync(process.execPath, [join(root, "node_modules/@react-router/dev/bin.js"), "build"], {
    cwd: root,
    stdio: ["ignore", "ignore", "inherit"],
    env: { ...process.env, NODE_ENV: "production" },
  });
}

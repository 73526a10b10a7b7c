import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdir, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";

/** Installs the programs to compare with into a cache folder, so that they are no dependencies of this project. */
export async function installPeers(packages: Record<string, string>): Promise<string> {
  const folder = resolve("node_modules/.cache/bench-peers");
  const missing = Object.keys(packages).filter((name) => !existsSync(join(folder, "node_modules", name)));
  if (missing.length === 0) return folder;
  await mkdir(folder, { recursive: true });
  const manifest = join(folder, "package.json");
  if (!existsSync(manifest)) await writeFile(manifest, '{"private":true}');
  const quietly = ["--no-audit", "--no-fund", "--loglevel", "error"];
  const named = Object.entries(packages).map(([name, version]) => `${name}@${version}`);
  execFileSync("npm", ["install", ...quietly, ...named], {
    cwd: folder,
    stdio: ["ignore", "ignore", "inherit"],
    timeout: 180_000,
  });
  return folder;
}

import { execFileSync } from "node:child_process";
import { createHash, randomUUID } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";

/** Encoding the films of the tests takes minutes, so each machine encodes a film once and keeps the result. */

const cache = resolve("node_modules/.cache/encoded-films");

export type Command = readonly [program: string, ...options: string[]];
type Work = {
  /** The commands run one after another in an empty folder, and name their files without a folder. */
  commands: readonly Command[];
  /** Files that the commands read, by name. */
  inputs?: Readonly<Record<string, string>>;
  /** The file to keep. Without it, all files that the commands wrote are kept. */
  result?: string;
};

/**
 * Returns the path of the result, or of the folder with all results. The key holds the commands, their inputs and the versions
 * of the programs, so another option or another ffmpeg encodes again. Tests that change a file change a copy.
 */
export function encodedOnce({ commands, inputs = {}, result }: Work): string {
  const versions = [...new Set(commands.map(([program]) => program))].map(versionOf);
  const key = JSON.stringify([versions, commands, inputs, result]);
  const folder = join(cache, createHash("sha256").update(key).digest("hex").slice(0, 32));
  if (!existsSync(folder)) encode({ commands, inputs, folder, ...(result !== undefined && { result }) });
  return result === undefined ? folder : join(folder, result);
}

function encode({ commands, inputs = {}, result, folder }: Work & { folder: string }) {
  const unfinished = `${folder}.${randomUUID()}`;
  mkdirSync(unfinished, { recursive: true });
  try {
    for (const [name, text] of Object.entries(inputs)) writeFileSync(join(unfinished, name), text);
    for (const [program, ...options] of commands)
      execFileSync(program, options, { cwd: unfinished, stdio: ["ignore", "ignore", "inherit"] });
    if (result !== undefined)
      for (const name of readdirSync(unfinished)) if (name !== result) rmSync(join(unfinished, name));
    renameSync(unfinished, folder);
  } catch (error) {
    // The rename fails if the other worker has encoded the same film meanwhile. Its result is equal.
    if (!existsSync(folder)) throw error;
  } finally {
    rmSync(unfinished, { recursive: true, force: true });
  }
}

const versions = new Map<string, string>();

function versionOf(program: string): string {
  const known = versions.get(program);
  if (known !== undefined) return known;
  const version = execFileSync(program, [program === "ffmpeg" ? "-version" : "--version"], {
    encoding: "utf8",
  });
  versions.set(program, version);
  return version;
}

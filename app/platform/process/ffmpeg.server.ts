import { accessSync, constants, statSync } from "node:fs";
import { delimiter, join } from "node:path";
import { bareEnvironment, env } from "./env.server.ts";

/** Finds ffmpeg. The site also works without it. */

let found: string | null | undefined;

/** The path of the program. Null if there is none, or if FFMPEG=off. Looked up once. */
export function findFfmpeg(): string | null {
  if (found === undefined) found = lookUp();
  return found;
}

function lookUp(): string | null {
  if (env.FFMPEG === "off") return null;
  if (env.FFMPEG !== "auto") return isProgram(env.FFMPEG) ? env.FFMPEG : null;
  const folders = (bareEnvironment.PATH ?? "").split(delimiter).filter((folder) => folder !== "");
  const names = process.platform === "win32" ? ["ffmpeg.exe"] : ["ffmpeg"];
  const paths = folders.flatMap((folder) => names.map((name) => join(folder, name)));
  return paths.find(isProgram) ?? null;
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}

/** For operators: which program converts films, or why none does. */
export function ffmpegText(): string {
  const path = findFfmpeg();
  if (path !== null) return `ffmpeg: ${path}`;
  if (env.FFMPEG === "off") return "ffmpeg: not used (FFMPEG=off)";
  return env.FFMPEG === "auto"
    ? "ffmpeg: not found in PATH; install it, and films that a browser cannot decode are converted"
    : `ffmpeg: ${env.FFMPEG} is not a program that this user can run`;
}

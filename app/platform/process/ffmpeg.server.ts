import { spawnSync } from "node:child_process";
import { accessSync, constants, statSync } from "node:fs";
import { delimiter, join } from "node:path";
import { seconds } from "../units.ts";
import { bareEnvironment, env } from "./env.server.ts";

/** Finds ffmpeg. The site also works without it. */

let ffmpegPath: string | null | undefined;

/** The path of the program. Null if there is none, or if FFMPEG=off. Looked up once. */
export function findFfmpeg(): string | null {
  if (ffmpegPath === undefined) ffmpegPath = lookUp();
  return ffmpegPath;
}

function lookUp(): string | null {
  if (env.FFMPEG === "off") return null;
  if (env.FFMPEG !== "auto") return isProgram(env.FFMPEG) ? env.FFMPEG : null;
  const folders = (bareEnvironment.PATH ?? "").split(delimiter).filter((folder) => folder !== "");
  const name = process.platform === "win32" ? "ffmpeg.exe" : "ffmpeg";
  return folders.map((folder) => join(folder, name)).find(isProgram) ?? null;
}

const endWithParent = ["--pdeathsig", "KILL", "--"];
let canEndWithParent: boolean | undefined;

/**
 * The program and arguments that run ffmpeg. On Linux with setpriv (util-linux), ffmpeg ends when this process is killed.
 * Otherwise it would continue, because it does not end when its pipes are closed.
 */
export function ffmpegCommand(args: readonly string[]): [program: string, args: string[]] {
  const ffmpeg = findFfmpeg() ?? "ffmpeg";
  canEndWithParent ??=
    spawnSync("setpriv", [...endWithParent, "true"], {
      env: bareEnvironment,
      stdio: "ignore",
      timeout: seconds(10),
    }).status === 0;
  return canEndWithParent ? ["setpriv", [...endWithParent, ffmpeg, ...args]] : [ffmpeg, [...args]];
}

let mapsTones: boolean | undefined;

/** Whether this ffmpeg can bring HDR pictures into ordinary colours. Asked once. */
export function canMapTones(): boolean {
  if (mapsTones !== undefined) return mapsTones;
  const path = findFfmpeg();
  if (path === null) return false;
  const { stdout } = spawnSync(path, ["-v", "error", "-nostdin", "-filters"], {
    encoding: "utf8",
    env: bareEnvironment,
    stdio: ["ignore", "pipe", "ignore"],
    timeout: seconds(10),
  });
  const known = new Set((stdout ?? "").split("\n").map((line) => line.trim().split(/\s+/)[1]));
  mapsTones = known.has("zscale") && known.has("tonemap");
  return mapsTones;
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
  if (path !== null)
    return canMapTones()
      ? `ffmpeg: ${path}`
      : `ffmpeg: ${path}; it lacks the filters zscale and tonemap, so HDR pictures are converted in wrong, grey colours`;
  if (env.FFMPEG === "off") return "ffmpeg: not used (FFMPEG=off)";
  return env.FFMPEG === "auto"
    ? "ffmpeg: not found in PATH; install it, and films that a browser cannot decode are converted"
    : `ffmpeg: ${env.FFMPEG} (FFMPEG) is not a program that this user can run; correct the path`;
}

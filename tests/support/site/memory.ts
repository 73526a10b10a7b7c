import type { ChildProcess } from "node:child_process";
import { readdirSync, readFileSync, readlinkSync } from "node:fs";
import { join } from "node:path";
import type { Site } from "#tests/support/site/site-process.ts";

/** Memory and processes of a site, read from Linux's /proc. */

/** The resident memory of a server without its children. 0 on systems other than Linux. */
export const residentMiB = ({ process }: { process: { pid?: number | undefined } }) =>
  kibibytesOf(`/proc/${process.pid}/status`, "VmRSS") / 1024;

/**
 * The memory of a server, of all processes that it started, and of its embedded database. Memory that several of them
 * share counts once, and so does the code of each program, as if no other process on the machine ran it.
 */
export function totalMiB({ pid = 0 }: ChildProcess, dataDir = ""): number {
  let data = 0;
  const programs = new Map<string, number>();
  for (const one of processesOf(pid, dataDir)) {
    const counts = `/proc/${one}/smaps_rollup`;
    data += kibibytesOf(counts, "Pss_Anon") + kibibytesOf(counts, "Pss_Shmem");
    const program = programOf(one);
    const files = kibibytesOf(counts, "Shared_Clean") + kibibytesOf(counts, "Private_Clean");
    programs.set(program, Math.max(files, programs.get(program) ?? 0));
  }
  return (data + [...programs.values()].reduce((sum, size) => sum + size, 0)) / 1024;
}

/**
 * A server, all processes that it started, and its embedded database, which leaves the process tree when a server dies
 * and the next one uses it. Each process is in the list once.
 */
export function processesOf(pid: number, dataDir = ""): number[] {
  const roots = [pid, postmasterOf(dataDir) ?? []].flat();
  return [...new Set(roots.flatMap(treeOf))];
}

/** The process id of the embedded database of a data folder. Undefined if none runs. */
export function postmasterOf(dataDir: string): number | undefined {
  const text = readOrEmpty(join(dataDir, "database/cluster/postmaster.pid"));
  return text === "" ? undefined : Number.parseInt(text, 10);
}

/** The processes of the site that read films. */
export const readersOf = (site: Site) => processesRunning(site, /film-child\.js/);
/** The processes of the site that convert picture or sound. */
export const convertersOf = (site: Site) => processesRunning(site, /ffmpeg|sound-child\.js/);

/** The server's process and its descendants whose command line matches. */
const processesRunning = ({ process: { pid = 0 } }: Site, command: RegExp): number[] =>
  treeOf(pid).filter((one) => command.test(readOrEmpty(`/proc/${one}/cmdline`).replaceAll("\0", " ")));

const treeOf = (pid: number): number[] => [pid, ...childrenOf(pid).flatMap(treeOf)];

/** Linux lists children per thread, so this collects those of every thread. */
function childrenOf(pid: number): number[] {
  try {
    return readdirSync(`/proc/${pid}/task`).flatMap((thread) =>
      readOrEmpty(`/proc/${pid}/task/${thread}/children`).split(" ").filter(Boolean).map(Number),
    );
  } catch {
    return [];
  }
}

function programOf(pid: number) {
  try {
    return readlinkSync(`/proc/${pid}/exe`);
  } catch {
    return "";
  }
}

const kibibytesOf = (path: string, name: string) =>
  Number(new RegExp(`^${name}:\\s+(\\d+)`, "m").exec(readOrEmpty(path))?.[1] ?? 0);

/** Returns an empty text if the process has ended meanwhile. */
export function readOrEmpty(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return "";
  }
}

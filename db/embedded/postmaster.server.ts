import { execFile, spawn, spawnSync } from "node:child_process";
import {
  closeSync,
  existsSync,
  linkSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
} from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { CannotStart, diskFull, fileTrouble } from "#app/platform/process/cannot-start.server.ts";
import { type ClusterFolders, createSocketFolder, giveToUser } from "./home.server.ts";
import type { Programs } from "./programs.server.ts";

export const superuser = "postgres";
const settings = {
  listen_addresses: "",
  port: "5432",
  unix_socket_permissions: "0700",
  max_wal_size: "256MB",
  jit: "off",
  log_checkpoints: "off",
  // LOG ranks above ERROR here: the file stays small, and statements with people's data stay out of it.
  log_min_messages: "log",
  log_min_error_statement: "panic",
  log_error_verbosity: "terse",
};

/** PostgreSQL reads PG* variables of its own; it shall see none of ours. */
const bareEnvironment = { LC_ALL: "C", PATH: "/usr/bin:/bin" };

/** Makes a cluster whole or not at all: beside its place, then renamed. Whoever comes second throws his away. */
export async function createCluster(home: ClusterFolders, { folder, major }: Programs) {
  // initdb calls its neighbours through a shell, in double quotes.
  if (/["$`\\]/.test(folder))
    throw new CannotStart(
      `PostgreSQL cannot run from ${folder}: move the project to a path without " $ \` or \\`,
    );
  const unfinished = `${home.cluster}.${process.pid}`;
  const locale =
    major >= 17
      ? ["--locale-provider=builtin", "--builtin-locale=C.UTF-8", "--locale=C"]
      : ["--locale=C.UTF-8"];
  const options = ["-D", unfinished, "-U", superuser, "--auth=trust", "--encoding=UTF8", ...locale];
  rmSync(unfinished, { recursive: true, force: true });
  try {
    mkdirSync(unfinished, { mode: 0o700 });
    giveToUser(unfinished, home.account);
    await promisify(execFile)(join(folder, "initdb"), options, {
      ...home.account,
      env: bareEnvironment,
      cwd: "/",
    });
    renameSync(unfinished, home.cluster);
  } catch (error) {
    rmSync(unfinished, { recursive: true, force: true });
    if (!existsSync(home.cluster)) throw initErrorText(error, home);
  }
}

function initErrorText(error: unknown, home: ClusterFolders) {
  const { stderr = "" } = error as { stderr?: string };
  if (/No space left|quota exceeded/i.test(stderr)) return diskFull("The database's folder", home.folder);
  const said = /(?:error|FATAL): .*/.exec(stderr)?.[0];
  return said
    ? new CannotStart(`initdb could not make ${home.cluster}: ${said}`)
    : fileTrouble(error, "DATA_DIR", home.folder);
}

/** Where the postmaster that runs, or last ran, on this cluster says it is. */
export function readPostmaster(cluster: string) {
  const file = join(cluster, "postmaster.pid");
  if (!existsSync(file)) return null;
  const text = readFileSync(file, "utf8");
  const pid = Number.parseInt(text, 10);
  return pid > 1 ? { pid, text } : null;
}

/** Alive, and really PostgreSQL on this cluster: after a crash its number may belong to anybody. */
export function isPostmaster(pid: number, cluster: string) {
  try {
    process.kill(pid, 0);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ESRCH") return false;
  }
  const inProc = `/proc/${pid}/cmdline`;
  const line = existsSync("/proc/self/cmdline")
    ? existsSync(inProc) && readFileSync(inProc, "utf8").split("\0").join(" ")
    : spawnSync("ps", ["-o", "args=", "-p", String(pid)], { encoding: "utf8" }).stdout;
  return typeof line === "string" && line.includes(`-D ${cluster} `);
}

/**
 * PostgreSQL sweeps a lock file of a dead process itself, but not one whose number a stranger has taken. Moved
 * aside before it is judged again, and put back if another process was quicker to start a new one.
 */
export function deleteStaleLock({ cluster, socketFolder }: ClusterFolders) {
  const stale = readPostmaster(cluster);
  if (!stale || isPostmaster(stale.pid, cluster)) return;
  const file = join(cluster, "postmaster.pid");
  const aside = `${file}.${process.pid}`;
  try {
    renameSync(file, aside);
    if (readFileSync(aside, "utf8") !== stale.text) linkSync(aside, file);
    else rmSync(join(socketFolder, ".s.PGSQL.5432.lock"), { force: true });
  } catch (error) {
    if (!["ENOENT", "EEXIST"].includes((error as NodeJS.ErrnoException).code ?? "")) throw error;
  }
  rmSync(aside, { force: true });
}

/** A session of its own, so that Ctrl-C reaches us alone, and no pipe to us: it may outlive this process. */
export function startPostmaster(home: ClusterFolders, { folder }: Programs) {
  createSocketFolder(home);
  const chosen = { ...settings, unix_socket_directories: `"${home.socketFolder.replaceAll('"', '""')}"` };
  const options = Object.entries(chosen).flatMap(([name, value]) => ["-c", `${name}=${value}`]);
  if (existsSync(home.logFile) && statSync(home.logFile).size > 1_000_000)
    renameSync(home.logFile, `${home.logFile}.old`);
  const output = openSync(home.logFile, "a", 0o600);
  const child = spawn(join(folder, "postgres"), ["-D", home.cluster, ...options], {
    ...home.account,
    env: bareEnvironment,
    cwd: "/",
    detached: true,
    stdio: ["ignore", output, output],
  });
  const launched = { ended: false, words: () => readFileSync(home.logFile, "utf8").slice(said) };
  const said = readFileSync(home.logFile, "utf8").length;
  child.once("error", () => {
    launched.ended = true;
  });
  child.once("exit", () => {
    launched.ended = true;
  });
  closeSync(output);
  child.unref();
  return launched;
}

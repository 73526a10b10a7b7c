import { execFile, spawn, spawnSync } from "node:child_process";
import {
  closeSync,
  existsSync,
  fchownSync,
  linkSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  statfsSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { CannotStart, diskFull, explainFileError } from "#app/platform/process/cannot-start.server.ts";
import { memoryPlan } from "#app/platform/process/memory.server.ts";
import { mebibytes } from "#app/platform/units.ts";
import {
  type ClusterFolders,
  createSocketFolder,
  environmentOfPostgres,
  giveToUser,
  giveTree,
  isNameless,
  nobodyId,
} from "./cluster-folders.server.ts";
import type { DeathWatch } from "./death-watch.server.ts";
import type { Programs } from "./programs.server.ts";
import { nameUser } from "./user-name.server.ts";

export const superuser = "postgres";
const settings = {
  listen_addresses: "",
  port: "5432",
  unix_socket_permissions: "0700",
  max_wal_size: "256MB",
  shared_buffers: `${memoryPlan.databaseBuffers}MB`,
  jit: "off",
  log_checkpoints: "off",
  // LOG ranks above ERROR in this setting. So errors are not logged, and neither are their statements with members'
  // data.
  log_min_messages: "log",
  log_min_error_statement: "panic",
  log_error_verbosity: "terse",
};

/** The size of a new cluster. Without the check, initdb would fill the disk for seconds and then fail. */
const minFreeBytes = mebibytes(48);

/**
 * Creates a cluster under a temporary name and renames it, so that no half-made cluster is left if the process is
 * killed. If two processes do this, the second deletes its own.
 */
export async function createCluster(folders: ClusterFolders, { folder, major }: Programs) {
  // initdb runs the other programs through a shell, in double quotes.
  if (/["$`\\]/.test(folder))
    throw new CannotStart(
      `PostgreSQL cannot run from ${folder}. Move the project to a path without " $ \` or \\`,
    );
  const { bavail, bsize } = statfsSync(folders.root);
  if (bavail * bsize < minFreeBytes) throw diskFull("The database's folder", folders.root);
  const temporaryCluster = `${folders.cluster}.${process.pid}`;
  const locale =
    major >= 17
      ? ["--locale-provider=builtin", "--builtin-locale=C.UTF-8", "--locale=C"]
      : ["--locale=C.UTF-8"];
  const { uid, gid } = folders.systemUser;
  // initdb needs a user with a name. `nobody` has a name, and this group lets its processes reach the folder.
  const creator = isNameless(folders.systemUser)
    ? { ...folders.systemUser, uid: nobodyId }
    : folders.systemUser;
  const userName = nameUser(folders);
  const options = ["-D", temporaryCluster, "-U", superuser, "--auth=trust", "--encoding=UTF8", ...locale];
  rmSync(temporaryCluster, { recursive: true, force: true });
  try {
    mkdirSync(temporaryCluster, { mode: 0o700 });
    giveToUser(temporaryCluster, creator);
    await promisify(execFile)(join(folder, "initdb"), options, {
      ...creator,
      env: { ...environmentOfPostgres, ...userName.variables },
      cwd: "/",
    });
    if (uid !== undefined && gid !== undefined) giveTree(temporaryCluster, { uid, gid });
    renameSync(temporaryCluster, folders.cluster);
  } catch (error) {
    rmSync(temporaryCluster, { recursive: true, force: true });
    if (!existsSync(folders.cluster)) throw toInitError(error, folders);
  } finally {
    userName.remove();
  }
}

function toInitError(error: unknown, folders: ClusterFolders) {
  const { stderr = "" } = error as { stderr?: string };
  if (/No space left|quota exceeded/i.test(stderr)) return diskFull("The database's folder", folders.root);
  if (/could not look up effective user ID/.test(stderr))
    return new CannotStart(
      `PostgreSQL needs a name for the user ${process.getuid?.()}, which this machine does not know. Install libnss-wrapper, add the user, or start as another one.`,
    );
  const reason = /(?:error|FATAL): .*/.exec(stderr)?.[0];
  return reason
    ? new CannotStart(`initdb could not create ${folders.cluster}: ${reason}`)
    : explainFileError(error, "DATA_DIR", folders.root);
}

/** Reads postmaster.pid: the process id of the postmaster that runs, or last ran, on this cluster. */
export function readPostmaster(cluster: string) {
  const text = readIfExists(join(cluster, "postmaster.pid"));
  const pid = Number.parseInt(text, 10);
  return pid > 1 ? { pid, text, isStopping: /^stopping/m.test(text) } : null;
}

function readIfExists(file: string) {
  try {
    return readFileSync(file, "utf8");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return "";
    throw error;
  }
}

/** SIGINT is PostgreSQL's fast shutdown, which does not wait for clients to disconnect. */
export const stopPostmaster = (pid: number, cluster: string) =>
  isPostmaster(pid, cluster) && process.kill(pid, "SIGINT");

/**
 * True if the process lives and is PostgreSQL on this cluster. After a crash another program may have its process id.
 */
export function isPostmaster(pid: number, cluster: string) {
  try {
    process.kill(pid, 0);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ESRCH") return false;
  }
  const commandLineFile = `/proc/${pid}/cmdline`;
  const line = existsSync("/proc/self/cmdline")
    ? existsSync(commandLineFile) && readFileSync(commandLineFile, "utf8").split("\0").join(" ")
    : spawnSync("ps", ["-o", "args=", "-p", String(pid)], { encoding: "utf8" }).stdout;
  return typeof line === "string" && line.includes(`-D ${cluster} `);
}

/**
 * PostgreSQL removes the lock file of a dead process, unless another program now has its process id. The file is
 * renamed and read again before it is deleted: if another process has just started a postmaster, its file is put back.
 */
export function deleteStaleLock({ cluster, socketFolder }: ClusterFolders) {
  const stale = readPostmaster(cluster);
  if (!stale || isPostmaster(stale.pid, cluster)) return;
  const file = join(cluster, "postmaster.pid");
  const renamed = `${file}.${process.pid}`;
  try {
    renameSync(file, renamed);
    if (readFileSync(renamed, "utf8") !== stale.text) linkSync(renamed, file);
    else rmSync(join(socketFolder, ".s.PGSQL.5432.lock"), { force: true });
  } catch (error) {
    if (!["ENOENT", "EEXIST"].includes((error as NodeJS.ErrnoException).code ?? "")) throw error;
  }
  rmSync(renamed, { force: true });
}

/**
 * During the first start of a cluster, PostgreSQL trusts every process that reaches the socket, in a folder of its own
 * user, until the roles have their password. The cluster's own pg_hba.conf stays unchanged: an operator may go back to
 * a version that knows no password and uses that file.
 */
const accessRules = {
  password: "local all all scram-sha-256\n",
  first: "local all all trust\n",
};

export const requiresPassword = (folders: ClusterFolders) =>
  readIfExists(folders.accessRules) === accessRules.password;

/** PostgreSQL reads the rules when it starts and when it is told to reload. */
export function writeAccessRules(
  { accessRules: file, systemUser }: ClusterFolders,
  which: keyof typeof accessRules,
) {
  const draft = `${file}.${process.pid}`;
  writeFileSync(draft, accessRules[which], { mode: 0o600, flush: true });
  giveToUser(draft, systemUser, 0o600);
  renameSync(draft, file);
}

/** A new log belongs to the database's user, who may start the database next. */
function openLog({ logFile, systemUser: { uid, gid } }: ClusterFolders): number {
  if (existsSync(logFile)) return openSync(logFile, "a", 0o600);
  const created = openSync(logFile, "ax", 0o600);
  if (uid !== undefined && gid !== undefined) fchownSync(created, uid, gid);
  return created;
}

/**
 * Starts the postmaster detached, so that Ctrl-C does not reach it, and with a log file instead of a pipe, because it
 * may outlive this process. `readLog` returns what the log file has gained since.
 */
export function startPostmaster(folders: ClusterFolders, { folder }: Programs, deathWatch: DeathWatch) {
  createSocketFolder(folders);
  if (!existsSync(folders.accessRules)) writeAccessRules(folders, "first");
  deathWatch.hold();
  const chosen = {
    ...settings,
    hba_file: folders.accessRules,
    unix_socket_directories: `"${folders.socketFolder.replaceAll('"', '""')}"`,
  };
  const options = Object.entries(chosen).flatMap(([name, value]) => ["-c", `${name}=${value}`]);
  if (existsSync(folders.logFile) && statSync(folders.logFile).size > 1_000_000)
    renameSync(folders.logFile, `${folders.logFile}.old`);
  const output = openLog(folders);
  const oldLength = readFileSync(folders.logFile, "utf8").length;
  const child = spawn(join(folder, "postgres"), ["-D", folders.cluster, ...options], {
    ...folders.systemUser,
    env: environmentOfPostgres,
    cwd: "/",
    detached: true,
    stdio: ["ignore", output, output],
  });
  const launched = { ended: false, readLog: () => readFileSync(folders.logFile, "utf8").slice(oldLength) };
  const endWatch = child.pid === undefined ? () => {} : deathWatch.watch(child.pid);
  for (const event of ["error", "exit"])
    child.once(event, () => {
      launched.ended = true;
      endWatch();
    });
  closeSync(output);
  child.unref();
  return launched;
}

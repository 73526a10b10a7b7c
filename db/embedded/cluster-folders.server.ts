import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import {
  chmodSync,
  chownSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { CannotStart, explainFileError } from "#app/platform/process/cannot-start.server.ts";
import { createDataFolder } from "#app/platform/process/data-folder.server.ts";

/** The user that runs PostgreSQL. If we are root, it is another user, because PostgreSQL refuses to run as root. */
type SystemUser = { uid?: number; gid?: number };

/** The folders of one embedded database. */
export type ClusterFolders = {
  systemUser: SystemUser;
  /** Mode 0700, owned by `systemUser`. It holds the others, except a socket folder whose path would be too long. */
  root: string;
  cluster: string;
  socketFolder: string;
  logFile: string;
};

/** PostgreSQL reads PG* variables, so those of our own environment would change its behaviour. */
export const bareEnvironment = { LC_ALL: "C", PATH: "/usr/bin:/bin" };

/** The usual id of the user and group `nobody`. */
const nobodyId = 65534;
/** The path of a Unix socket has at most 104 bytes on macOS and 108 on Linux, with its final NUL. */
const maxSocketFolderLength = 103 - "/.s.PGSQL.5432".length;
const rootsParent = "/var/lib/engawa";
const locationFile = "database-location";

const shortHash = (text: string) => createHash("sha256").update(text).digest("hex").slice(0, 16);

/** Finds the folders of a data folder's database and creates those that are missing. */
export function openClusterFolders(dataDir: string, say: (line: string) => void): ClusterFolders {
  createDataFolder(dataDir);
  const root = chooseRoot(realpathSync(dataDir), say);
  try {
    mkdirSync(root, { recursive: true, mode: 0o700 });
  } catch (error) {
    throw explainFileError(error, "DATA_DIR", root);
  }
  const systemUser = systemUserOf(root);
  giveToUser(root, systemUser);
  return {
    systemUser,
    root,
    cluster: join(root, "cluster"),
    logFile: join(root, "postgres.log"),
    socketFolder: socketFolderOf(root),
  };
}

/**
 * Chooses a folder in the data folder. If only root can reach that, chooses a folder in /var/lib and writes its path to a
 * file in the data folder.
 */
function chooseRoot(dataDir: string, say: (line: string) => void) {
  const usual = join(dataDir, "database");
  const noted = join(dataDir, locationFile);
  const moved = join(rootsParent, shortHash(dataDir));
  if (existsSync(noted)) return checkLocation(readFileSync(noted, "utf8").trim(), moved, dataDir);
  if (existsSync(join(usual, "cluster")) || process.getuid?.() !== 0 || canReach(dataDir)) return usual;
  mkdirSync(rootsParent, { recursive: true, mode: 0o755 });
  writeFileSync(noted, `${moved}\n`);
  say(`Only root can reach ${dataDir}, but PostgreSQL does not run as root. Its files are in ${moved}`);
  return moved;
}

function checkLocation(noted: string, expected: string, dataDir: string) {
  if (noted === expected || !existsSync(noted)) return expected;
  throw new CannotStart(
    `${dataDir} was moved or copied, but its database is still in ${noted}. If you moved it, run: mv ${noted} ${expected} && echo ${expected} > ${join(dataDir, locationFile)}`,
  );
}

/** Tries to enter the folder as that user, because mode bits alone do not show ACLs and mount options. */
function canReach(folder: string) {
  const attempt = spawnSync("/bin/sh", ["-c", 'cd "$1"', "sh", folder], {
    uid: nobodyId,
    gid: nobodyId,
    stdio: "ignore",
  });
  if (!attempt.error) return attempt.status === 0;
  throw new CannotStart(
    "PostgreSQL refuses to run as root, and this root user cannot switch to another user (a user namespace?). Start as another user, or set DATABASE_URL.",
  );
}

/** An existing cluster keeps its owner, so that root can also start a database that another user created. */
function systemUserOf(root: string): SystemUser {
  if (process.getuid?.() !== 0) return {};
  const cluster = join(root, "cluster");
  const { uid, gid } = statSync(existsSync(cluster) ? cluster : root);
  return uid === 0 ? { uid: nobodyId, gid: nobodyId } : { uid, gid };
}

export function giveToUser(folder: string, { uid, gid }: SystemUser) {
  try {
    if (uid !== undefined && gid !== undefined && statSync(folder).uid !== uid) chownSync(folder, uid, gid);
    chmodSync(folder, 0o700);
  } catch (error) {
    throw explainFileError(error, "The database's folder", folder);
  }
}

/** Beside the cluster, or in /tmp if that path is too long for a socket. Its mode is 0700 in both cases. */
function socketFolderOf(root: string) {
  const usual = join(root, "run");
  return Buffer.byteLength(usual) <= maxSocketFolderLength
    ? usual
    : join("/tmp", `engawa-${shortHash(root)}`);
}

/**
 * Creates the socket's folder. In /tmp, another user may have created it first to receive our queries, so check the
 * owner.
 */
export function createSocketFolder({ socketFolder, systemUser }: ClusterFolders) {
  mkdirSync(socketFolder, { recursive: true, mode: 0o700 });
  const found = lstatSync(socketFolder);
  if (!found.isDirectory() || ![systemUser.uid, process.getuid?.()].includes(found.uid))
    throw new CannotStart(
      `${socketFolder} belongs to another user or is not a folder. Remove it and start again.`,
    );
  giveToUser(socketFolder, systemUser);
}

/** Deletes the socket's folder if it is in /tmp. */
export function deleteSocketFolder({ socketFolder, root }: ClusterFolders) {
  if (dirname(socketFolder) !== root) rmSync(socketFolder, { recursive: true, force: true });
}

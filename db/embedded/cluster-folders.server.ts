import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import {
  chmodSync,
  chownSync,
  existsSync,
  lchownSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { log } from "#app/platform/log.server.ts";
import { CannotStart, explainFileError } from "#app/platform/process/cannot-start.server.ts";
import { createDataFolder } from "#app/platform/process/data-folder.server.ts";
import { kibibytes } from "#app/platform/units.ts";

/**
 * The user that runs PostgreSQL. If the site runs as root, this is another user, because PostgreSQL refuses to run as
 * root.
 */
type SystemUser = { uid?: number; gid?: number };

/** The folders of one embedded database. */
export type ClusterFolders = {
  systemUser: SystemUser;
  /**
   * Owned by `systemUser` and closed to other users. It contains the other folders, except a socket folder whose path
   * would be too long.
   */
  root: string;
  cluster: string;
  socketFolder: string;
  logFile: string;
  /** PostgreSQL's access rules, in place of the cluster's own pg_hba.conf. */
  accessRules: string;
};

/**
 * PostgreSQL reads PG* variables, so those of the site's own environment would change its behaviour. The allocator of
 * glibc keeps up to 64 MiB of what a query frees, unless its threshold is named: then 128 KiB, its first value.
 */
export const environmentOfPostgres = {
  LC_ALL: "C",
  PATH: "/usr/bin:/bin",
  MALLOC_TRIM_THRESHOLD_: `${kibibytes(128)}`,
};

/** The usual id of the user and group `nobody`. */
export const nobodyId = 65534;

/**
 * If the site runs as root, and no other user with a name owns `DATA_DIR`, PostgreSQL runs under an id that nothing else
 * uses. Processes of `nobody`, such as those that decode strangers' pictures, could otherwise read the database's files.
 * These ids are free in systemd's table and have no name.
 */
const firstFreeId = 60_578;
const lastFreeId = 61_183;

function ownUser(root: string): { uid: number; gid: number } {
  const number = Number.parseInt(shortHash(root).slice(0, 8), 16);
  const id = firstFreeId + (number % (lastFreeId - firstFreeId + 1));
  return { uid: id, gid: id };
}

/**
 * Root's tools may create the database of a service that runs as another user, such as a restore on a new disk. It then
 * belongs to the owner of the data folder, so that the service can open it. initdb needs a user with a name.
 */
function ownerOfNew(dataDir: string, root: string): { uid: number; gid: number } {
  const { uid, gid } = statSync(dataDir);
  return uid === 0 || uid === nobodyId || !hasName(uid) ? ownUser(root) : { uid, gid };
}

const hasName = (uid: number) => spawnSync("id", ["-un", `${uid}`], { stdio: "ignore" }).status === 0;

export const isNameless = ({ uid }: SystemUser) =>
  uid !== undefined && uid >= firstFreeId && uid <= lastFreeId;
/** The path of a Unix socket has at most 104 bytes on macOS and 108 on Linux, including its final NUL. */
const maxSocketFolderLength = 103 - "/.s.PGSQL.5432".length;
const rootsParent = "/var/lib/engawa";
const locationFile = "database-location";

/** Tells whether a data folder has a database, without creating any folder. */
export const hasCluster = (dataDir: string) =>
  mayExist(join(dataDir, "database", "cluster")) || mayExist(join(dataDir, locationFile));

/** Also true if this user may not look. Opening the database then says which right is missing. */
function mayExist(path: string): boolean {
  try {
    return statSync(path, { throwIfNoEntry: false }) !== undefined;
  } catch {
    return true;
  }
}

const shortHash = (text: string) => createHash("sha256").update(text).digest("hex").slice(0, 16);

/** Finds the folders of a data folder's database and creates the missing ones. */
export function openClusterFolders(dataDir: string): ClusterFolders {
  createDataFolder(dataDir);
  const root = chooseRoot(realpathSync(dataDir));
  try {
    mkdirSync(root, { recursive: true, mode: 0o700 });
  } catch (error) {
    throw explainFileError(error, "DATA_DIR", root);
  }
  const systemUser = systemUserOf(root, dataDir);
  giveRoot(root, systemUser);
  return {
    systemUser,
    root,
    cluster: join(root, "cluster"),
    logFile: join(root, "postgres.log"),
    accessRules: join(root, "pg_hba.conf"),
    socketFolder: socketFolderOf(root),
  };
}

/** Chooses a folder in the data folder, or one in /var/lib if only root can reach the data folder. */
function chooseRoot(dataDir: string) {
  const usual = join(dataDir, "database");
  const noted = join(dataDir, locationFile);
  const moved = join(rootsParent, shortHash(dataDir));
  if (existsSync(noted)) return checkLocation(readFileSync(noted, "utf8").trim(), moved, dataDir);
  if (
    existsSync(join(usual, "cluster")) ||
    process.getuid?.() !== 0 ||
    canReach(dataDir, ownerOfNew(dataDir, usual))
  )
    return usual;
  mkdirSync(rootsParent, { recursive: true, mode: 0o755 });
  log.info(`Only root can reach ${dataDir}, but PostgreSQL does not run as root. Its files are in ${moved}`);
  return moved;
}

/**
 * Notes in the data folder that its database is in /var/lib. Must follow the creation of the cluster, because a noted
 * cluster that is missing stops the start.
 */
export function noteLocation(dataDir: string, { root }: ClusterFolders) {
  if (dirname(root) !== realpathSync(dataDir)) writeFileSync(join(dataDir, locationFile), `${root}\n`);
}

/** A database that was left behind, or whose disk is not mounted, must not be replaced by an empty one. */
function checkLocation(noted: string, expected: string, dataDir: string) {
  const file = join(dataDir, locationFile);
  if (noted !== expected && existsSync(noted))
    throw new CannotStart(
      `${dataDir} was moved or copied, but its database is still in ${noted}. If you moved it, run: mv ${noted} ${expected} && echo ${expected} > ${file}`,
    );
  if (existsSync(join(expected, "cluster"))) return expected;
  throw new CannotStart(
    `The database of ${dataDir} is missing: ${file} says that it is in ${noted}. Mount the disk of that folder, or move the folder from the earlier machine to ${expected}. To begin with an empty database instead, delete ${file}.`,
  );
}

/** Tries to enter the folder as that user, because mode bits do not show ACLs and mount options. */
function canReach(folder: string, user: { uid: number; gid: number }) {
  const attempt = spawnSync("/bin/sh", ["-c", 'cd "$1"', "sh", folder], { ...user, stdio: "ignore" });
  if (!attempt.error) return attempt.status === 0;
  throw new CannotStart(
    "PostgreSQL refuses to run as root, and this root user cannot switch to another user (a user namespace?). Start as another user, or set DATABASE_URL.",
  );
}

/** An existing cluster keeps its owner, so that root can also start a database that another user created. */
function systemUserOf(root: string, dataDir: string): SystemUser {
  if (process.getuid?.() !== 0) return {};
  const cluster = join(root, "cluster");
  const { uid, gid } = statSync(existsSync(cluster) ? cluster : root);
  return uid === 0 ? ownerOfNew(dataDir, root) : { uid, gid };
}

/**
 * The group of a nameless user has no other member. initdb runs as a user with a name, and reaches the folder through
 * that group.
 */
const giveRoot = (root: string, systemUser: SystemUser) =>
  giveToUser(root, systemUser, isNameless(systemUser) ? 0o710 : 0o700);

export function giveToUser(path: string, { uid, gid }: SystemUser, mode = 0o700) {
  try {
    if (uid !== undefined && gid !== undefined && statSync(path).uid !== uid) chownSync(path, uid, gid);
    chmodSync(path, mode);
  } catch (error) {
    throw explainFileError(error, "The database's folder", path);
  }
}

/**
 * Follows no symbolic links. A folder changes owner before its entries, so that its previous owner cannot replace them.
 */
export function giveTree(path: string, user: { uid: number; gid: number }) {
  try {
    lchownSync(path, user.uid, user.gid);
    if (!lstatSync(path).isDirectory()) return;
    for (const name of readdirSync(path)) giveTree(join(path, name), user);
  } catch (error) {
    // Another process may be starting PostgreSQL at the same time, which deletes files.
    if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw error;
  }
}

/**
 * Earlier versions started by root ran PostgreSQL as `nobody`. A site that itself runs as `nobody` owns its data folder
 * and keeps the database. The postmaster must not run.
 */
export function takeFromNobody(folders: ClusterFolders, dataDir: string): ClusterFolders {
  if (folders.systemUser.uid !== nobodyId || statSync(dataDir).uid === nobodyId) return folders;
  const systemUser = ownUser(folders.root);
  giveTree(folders.root, systemUser);
  giveRoot(folders.root, systemUser);
  if (statSync(folders.socketFolder, { throwIfNoEntry: false })?.uid === nobodyId)
    deleteSocketFolder(folders);
  return { ...folders, systemUser };
}

/** Next to the cluster, or in /tmp if that path is too long for a socket. Its mode is 0700 in both cases. */
function socketFolderOf(root: string) {
  const usual = join(root, "run");
  return Buffer.byteLength(usual) <= maxSocketFolderLength
    ? usual
    : join("/tmp", `engawa-${shortHash(root)}`);
}

/**
 * Creates the socket's folder. In /tmp another user may have created it first, to receive our queries, so the owner is
 * checked.
 */
export function createSocketFolder({ socketFolder, systemUser }: ClusterFolders) {
  mkdirSync(socketFolder, { recursive: true, mode: 0o700 });
  const stats = lstatSync(socketFolder);
  if (!stats.isDirectory() || ![systemUser.uid, process.getuid?.()].includes(stats.uid))
    throw new CannotStart(
      `${socketFolder} belongs to another user or is not a folder. Remove it and start again.`,
    );
  giveToUser(socketFolder, systemUser);
}

/** Deletes the socket's folder if it is in /tmp. */
export function deleteSocketFolder({ socketFolder, root }: ClusterFolders) {
  if (dirname(socketFolder) !== root) rmSync(socketFolder, { recursive: true, force: true });
}

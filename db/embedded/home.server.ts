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
import { CannotStart, fileTrouble } from "#app/platform/process/cannot-start.server.ts";

/** Who runs PostgreSQL: nobody in particular when we are root, since it refuses to run as root. */
type SystemUser = { uid?: number; gid?: number };

/** Where one embedded database lives. */
export type ClusterFolders = {
  account: SystemUser;
  /** 0700, owned by the account; everything below is inside it, but for a socket whose path would be too long. */
  folder: string;
  cluster: string;
  socketFolder: string;
  logFile: string;
};

const unprivileged = 65534;
/** sun_path holds 104 bytes on macOS and 108 on Linux, the closing NUL and `/.s.PGSQL.5432` among them. */
const maxSocketFolderLength = 103 - "/.s.PGSQL.5432".length;
const elsewhere = "/var/lib/engawa";
const pointer = "database-location";

const shortHash = (text: string) => createHash("sha256").update(text).digest("hex").slice(0, 16);

/** Finds the home of a data folder's database, making its folders where they are missing. */
export function openHome(dataDir: string, say: (line: string) => void): ClusterFolders {
  const root = makeDataDir(dataDir);
  const folder = chooseFolder(root, say);
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
  } catch (error) {
    throw fileTrouble(error, "DATA_DIR", folder);
  }
  const account = accountOf(folder);
  giveToUser(folder, account);
  const home = { account, folder, cluster: join(folder, "cluster"), logFile: join(folder, "postgres.log") };
  return { ...home, socketFolder: socketFolderOf(folder) };
}

function makeDataDir(dataDir: string) {
  try {
    mkdirSync(dataDir, { recursive: true });
    return realpathSync(dataDir);
  } catch (error) {
    throw fileTrouble(error, "DATA_DIR", dataDir);
  }
}

/** The data folder itself or, where only root can reach that, a place of its own noted in the data folder. */
function chooseFolder(dataDir: string, say: (line: string) => void) {
  const usual = join(dataDir, "database");
  const noted = join(dataDir, pointer);
  const moved = join(elsewhere, shortHash(dataDir));
  if (existsSync(noted)) return sameFolder(readFileSync(noted, "utf8").trim(), moved, dataDir);
  if (existsSync(join(usual, "cluster")) || process.getuid?.() !== 0 || canReach(dataDir)) return usual;
  mkdirSync(elsewhere, { recursive: true, mode: 0o755 });
  writeFileSync(noted, `${moved}\n`);
  say(`Only root can reach ${dataDir}, and PostgreSQL does not run as root: its files are in ${moved}`);
  return moved;
}

function sameFolder(noted: string, expected: string, dataDir: string) {
  if (noted === expected || !existsSync(noted)) return expected;
  throw new CannotStart(
    `${dataDir} has been moved or copied, and its database is still in ${noted}. After a move: mv ${noted} ${expected} && echo ${expected} > ${join(dataDir, pointer)}`,
  );
}

/** Asks the system itself, as that account: mode bits alone know nothing of ACLs and mount options. */
function canReach(folder: string) {
  const asked = spawnSync("/bin/sh", ["-c", 'cd "$1"', "sh", folder], {
    uid: unprivileged,
    gid: unprivileged,
    stdio: "ignore",
  });
  if (!asked.error) return asked.status === 0;
  throw new CannotStart(
    "This root user cannot become another one (a user namespace?), and PostgreSQL refuses to run as root: start as a plain user, or set DATABASE_URL.",
  );
}

/** An existing home keeps its owner, so that root and the plain user who began it can take turns. */
function accountOf(folder: string): SystemUser {
  if (process.getuid?.() !== 0) return {};
  const cluster = join(folder, "cluster");
  const { uid, gid } = statSync(existsSync(cluster) ? cluster : folder);
  return uid === 0 ? { uid: unprivileged, gid: unprivileged } : { uid, gid };
}

export function giveToUser(folder: string, { uid, gid }: SystemUser) {
  try {
    if (uid !== undefined && gid !== undefined && statSync(folder).uid !== uid) chownSync(folder, uid, gid);
    chmodSync(folder, 0o700);
  } catch (error) {
    throw fileTrouble(error, "The database's folder", folder);
  }
}

/** Beside the cluster, or under /tmp, private all the same, where that path is too long for a socket. */
function socketFolderOf(folder: string) {
  const usual = join(folder, "run");
  return Buffer.byteLength(usual) <= maxSocketFolderLength
    ? usual
    : join("/tmp", `engawa-${shortHash(folder)}`);
}

/** Makes the socket's folder, trusting none that somebody else may have put there. */
export function createSocketFolder({ socketFolder, account }: ClusterFolders) {
  mkdirSync(socketFolder, { recursive: true, mode: 0o700 });
  const found = lstatSync(socketFolder);
  if (!found.isDirectory() || ![account.uid, process.getuid?.()].includes(found.uid))
    throw new CannotStart(`${socketFolder} belongs to somebody else: remove it and start again.`);
  giveToUser(socketFolder, account);
}

/** The last one out leaves nothing in /tmp. */
export function deleteSocketFolder({ socketFolder, folder }: ClusterFolders) {
  if (dirname(socketFolder) !== folder) rmSync(socketFolder, { recursive: true, force: true });
}

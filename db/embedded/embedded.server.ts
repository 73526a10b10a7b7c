import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import postgres from "postgres";
import { errorFields, log } from "#app/platform/log.server.ts";
import { CannotStart, diskFull } from "#app/platform/process/cannot-start.server.ts";
import { readOrCreateSecret } from "#app/platform/process/secrets.server.ts";
import { minutes, seconds } from "#app/platform/units.ts";
import { codeOf } from "../database-errors.server.ts";
import {
  type ClusterFolders,
  deleteSocketFolder,
  giveToUser,
  noteLocation,
  openClusterFolders,
  takeFromNobody,
} from "./cluster-folders.server.ts";
import { createDeathWatch, type DeathWatch } from "./death-watch.server.ts";
import {
  createCluster,
  deleteStaleLock,
  isPostmaster,
  readPostmaster,
  requiresPassword,
  startPostmaster,
  stopPostmaster,
  superuser,
  writeAccessRules,
} from "./postmaster.server.ts";
import { getPrograms, type Programs } from "./programs.server.ts";

/**
 * The PostgreSQL that is installed with Engawa. Every process that uses it holds a lease: a connection with a shared
 * advisory lock. PostgreSQL releases the lease of a process that dies, so a killed process cannot keep the server
 * running. The last process takes the lock exclusively, which makes starting processes wait, and stops the postmaster.
 * If that process is killed, the death watch stops the postmaster.
 */
export type EmbeddedDatabase = {
  /** Options for postgres.js: `postgres({ ...connection, max: 10 })`. The role may create databases. */
  connection: { path: string; user: string; pass: string; database: string; ssl: false };
  stop(): Promise<void>;
  /** The reason why the server ended, if the operator can fix it. */
  findTrouble(): CannotStart | undefined;
};

type Cluster = { folders: ClusterFolders; password: string; programs: Programs; deathWatch: DeathWatch };
/** The server itself reports `postmasterPid`, because the folder may be moved while it runs. */
type Lease = { sql: postgres.Sql; lost: Promise<void>; postmasterPid: number };

const leaseKey = 0x656e67;
/** The advisory lock held while the roles get their password. */
const passwordKey = leaseKey + 1;
const maxStartMs = minutes(2);
const databaseOwner = "engawa";

export async function startEmbedded(dataDir: string): Promise<EmbeddedDatabase> {
  if (process.platform === "win32") throw new CannotStart("Engawa does not run on Windows itself. Use WSL.");
  const opened = openClusterFolders(dataDir);
  // The process that started PostgreSQL may meanwhile have taken the folders over from `nobody`.
  const folders = isRunning(opened) ? openClusterFolders(dataDir) : takeFromNobody(opened, dataDir);
  const password = openPassword(folders);
  const programs = getPrograms(folders);
  const cluster = { folders, password, programs, deathWatch: createDeathWatch(folders) };
  let isStopping = false;
  if (!existsSync(folders.cluster)) {
    log.info(`Creating a PostgreSQL ${programs.major} database in ${folders.cluster}`);
    await createCluster(folders, programs);
  }
  noteLocation(dataDir, folders);
  let current = joinOrStart(cluster);
  await createDatabase((await current).sql);
  await requirePassword((await current).sql, cluster);

  const watch = async (lease: Lease) => {
    await lease.lost;
    if (isStopping) return;
    log.warn("The embedded database stopped; starting it again");
    current = restart(cluster, () => isStopping);
    current.then(watch, () => {});
  };
  current.then(watch);
  const endings = setInterval(() => finishEnding(folders), seconds(1)).unref();

  return {
    connection: { ...connectionTo(cluster), user: databaseOwner, database: databaseOwner },
    findTrouble: () => (hasFullDisk(folders) ? diskFull("The database's folder", folders.root) : undefined),
    async stop() {
      if (isStopping) return;
      isStopping = true;
      clearInterval(endings);
      await current
        .then((lease) => releaseLease(lease, cluster))
        .catch((error) => log.debug("the embedded database was not stopped", errorFields(error)));
    },
  };
}

const connectionTo = ({ folders, password }: Pick<Cluster, "folders" | "password">) =>
  ({ path: join(folders.socketFolder, ".s.PGSQL.5432"), pass: password, ssl: false }) as const;

const passwordFile = "password";

/**
 * The file is next to the cluster, so that it moves with it. It belongs to the database's user, which is the site's
 * user unless the site runs as root.
 */
function openPassword({ root, systemUser }: ClusterFolders): string {
  const password = readOrCreateSecret(root, passwordFile);
  giveToUser(join(root, passwordFile), systemUser, 0o600);
  return password;
}

/**
 * Gives both roles the password and makes PostgreSQL require it. A cluster of an earlier version trusted every process
 * that reached its socket. A postmaster that an earlier version started requires the password from its next start on.
 */
async function requirePassword(sql: postgres.Sql, { folders, password }: Cluster) {
  if (requiresPassword(folders)) return;
  await sql.begin(async (transaction) => {
    await transaction`select pg_advisory_xact_lock(${passwordKey})`;
    for (const role of [superuser, databaseOwner])
      await transaction.unsafe(`alter role ${role} password '${password}'`);
  });
  writeAccessRules(folders, "password");
  await sql`select pg_reload_conf()`;
}

/** Takes a lease on the running postmaster, or starts one. Several processes may do this at the same time. */
async function joinOrStart(cluster: Cluster): Promise<Lease> {
  const { folders, programs, deathWatch } = cluster;
  // A moved folder must not be replaced by an empty database.
  if (!existsSync(folders.cluster))
    throw new CannotStart(`The database's folder ${folders.cluster} is missing. Was it moved?`);
  const started = Date.now();
  let launched: ReturnType<typeof startPostmaster> | undefined;
  while (Date.now() - started < maxStartMs) {
    const lease = await takeLease(cluster);
    if (lease) return lease;
    if (!launched && !isRunning(folders)) {
      deleteStaleLock(folders);
      launched = startPostmaster(folders, programs, deathWatch);
    }
    if (launched?.ended) {
      checkEarlyEnd(launched.readLog(), folders, Date.now() - started);
      launched = undefined;
    }
    await pause(20);
  }
  throw new CannotStart(`The embedded database does not answer. Its log says why: ${folders.logFile}`);
}

const isRunning = ({ cluster }: ClusterFolders) => {
  const postmaster = readPostmaster(cluster);
  return postmaster !== null && isPostmaster(postmaster.pid, cluster);
};

/**
 * A postmaster also ends if another process started one first, or if children of a killed one still run. So this throws
 * only on a full disk, or after waiting too long.
 */
function checkEarlyEnd(logText: string, folders: ClusterFolders, waitedMs: number) {
  if (/No space left on device/.test(logText)) throw diskFull("The database's folder", folders.root);
  if (waitedMs < seconds(15)) return;
  const fatal = /FATAL: +(.*)/.exec(logText)?.[1] ?? "it gave no reason";
  throw new CannotStart(`The embedded PostgreSQL cannot start: ${fatal}. Its log is ${folders.logFile}`);
}

/** Returns null if no postmaster answers, if it is starting or stopping, or if the last process is about to stop it. */
async function takeLease(cluster: Cluster): Promise<Lease | null> {
  const { folders, deathWatch } = cluster;
  if (!existsSync(connectionTo(cluster).path)) return null;
  // Must precede the lease: the process that has the lease now may leave as soon as it is shared.
  deathWatch.hold();
  let onClose = () => {};
  const lost = new Promise<void>((resolve) => {
    onClose = resolve;
  });
  const sql = postgres({
    ...connectionTo(cluster),
    user: superuser,
    database: superuser,
    max: 1,
    max_lifetime: null,
    connect_timeout: 5,
    fetch_types: false,
    connection: { application_name: "engawa lease" },
    onnotice: () => {},
    onclose: () => onClose(),
  });
  try {
    const [row] = await sql<{ taken: boolean; postmasterPid: number }[]>`
      select pg_try_advisory_lock_shared(${leaseKey}) as taken,
        split_part(pg_read_file('postmaster.pid'), chr(10), 1)::int as "postmasterPid"`;
    if (row?.taken) return { sql, lost, postmasterPid: row.postmasterPid };
  } catch (error) {
    if (codeOf(error) === wrongPassword)
      throw new CannotStart(
        `${join(folders.root, passwordFile)} does not hold the password of the embedded database. If it is lost, stop everything that uses the database, delete ${folders.accessRules} and start again.`,
      );
    if (!isTemporary(error)) throw error;
  }
  await sql.end({ timeout: 0 });
  return null;
}

const wrongPassword = "28P01";

/** The error codes of a database that is not running, starting or stopping. */
const temporaryErrorCodes = [
  "ENOENT",
  "ECONNREFUSED",
  "ECONNRESET",
  "EPIPE",
  "CONNECTION_CLOSED",
  "CONNECT_TIMEOUT",
  "57P01",
  "57P03",
];
const isTemporary = (error: unknown) => temporaryErrorCodes.includes(codeOf(error) ?? "");

/** Restarts PostgreSQL after it stopped unexpectedly. Retries every second, because requests wait for it. */
async function restart(cluster: Cluster, isStopping: () => boolean): Promise<Lease> {
  for (;;) {
    try {
      return await joinOrStart(cluster);
    } catch (error) {
      if (isStopping()) throw error;
      log.warnOnce(
        "embedded-restart",
        "The embedded database does not start; trying again every second",
        errorFields(error),
      );
      await pause(seconds(1));
    }
  }
}

/** PostgreSQL stops if it cannot write its journal. The end of its log then names a full disk. */
function hasFullDisk({ logFile }: ClusterFolders) {
  const last = existsSync(logFile) ? readFileSync(logFile, "utf8").slice(-3000) : "";
  return last.includes("No space left on device");
}

/** The site connects as a role that owns its database and is not a superuser. */
async function createDatabase(sql: postgres.Sql) {
  const [found] = await sql`select from pg_database where datname = ${databaseOwner}`;
  if (found) return;
  for (const statement of [
    `create role ${databaseOwner} login createdb`,
    `create database ${databaseOwner} owner ${databaseOwner}`,
  ])
    try {
      await sql.unsafe(statement);
    } catch (error) {
      if (!alreadyExists(error)) throw error;
    }
}

/** 23505 (unique_violation) occurs if two processes create the role or database at the same time. */
const alreadyExists = (error: unknown) => ["42710", "42P04", "23505"].includes(codeOf(error) ?? "");

/**
 * A postmaster that got SIGTERM refuses new connections and waits until all clients have disconnected. The site never
 * disconnects, so all its requests would keep failing. Ending the postmaster fast lets `restart` replace it.
 */
function finishEnding({ cluster }: ClusterFolders) {
  const postmaster = readPostmaster(cluster);
  if (postmaster?.isStopping) stopPostmaster(postmaster.pid, cluster);
}

/**
 * With the exclusive lock, no other process holds a lease and none can take one. The postmaster's files are deleted
 * before it ends: afterwards another process may have started the next one with the same names.
 */
async function releaseLease({ sql, postmasterPid }: Lease, { folders, deathWatch }: Cluster) {
  await sql`select pg_advisory_unlock_shared(${leaseKey})`;
  const [row] = await sql`select pg_try_advisory_lock(${leaseKey}) as is_last`;
  if (row?.is_last && isPostmaster(postmasterPid, folders.cluster)) {
    deathWatch.deletePipe();
    deleteSocketFolder(folders);
    stopPostmaster(postmasterPid, folders.cluster);
    const deadline = Date.now() + seconds(10);
    while (isPostmaster(postmasterPid, folders.cluster) && Date.now() < deadline) await pause(20);
  }
  deathWatch.release();
  await sql.end({ timeout: 0 });
}

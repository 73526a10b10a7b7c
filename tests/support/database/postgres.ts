import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { rmSync } from "node:fs";
import { join } from "node:path";
import { openHome } from "#db/embedded/home.server.ts";
import { createCluster, superuser } from "#db/embedded/postmaster.server.ts";
import { findPrograms } from "#db/embedded/programs.server.ts";
import { freePort } from "../servers/free-port.ts";
import { atEnd } from "../setup/at-end.ts";
import { temporaryFolder } from "../setup/temporary-folder.ts";

/** A PostgreSQL of the test's own on a TCP port, to be stopped and started as it likes. */
export async function startPostgres() {
  const dataDir = temporaryFolder("postgres");
  const home = openHome(dataDir, () => {});
  const programs = findPrograms(home, () => {});
  await createCluster(home, programs);
  const port = await freePort();
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
      ["-D", home.cluster, ...Object.entries(options).flatMap(([name, value]) => ["-c", `${name}=${value}`])],
      { ...home.account, env: { LC_ALL: "C" }, cwd: "/", stdio: ["ignore", "ignore", "pipe"] },
    );
  let server = await ready(launch());
  /** By default as an administrator does who does not wait for clients. */
  const stop = async (signal: NodeJS.Signals = "SIGINT") => {
    if (server.exitCode !== null || server.signalCode !== null) return;
    server.kill(signal);
    await once(server, "exit");
  };
  atEnd(async () => {
    await stop();
    rmSync(dataDir, { recursive: true, force: true, maxRetries: 5 });
  });
  return {
    url: `postgres://${superuser}@127.0.0.1:${port}/${superuser}`,
    stop,
    async start() {
      server = await ready(launch());
    },
  };
}

async function ready(server: ChildProcess) {
  let said = "";
  for await (const chunk of server.stderr!.iterator({ destroyOnReturn: false })) {
    said += String(chunk);
    if (said.includes("ready to accept connections")) {
      server.stderr!.resume();
      return server;
    }
  }
  throw new Error(`PostgreSQL did not start: ${said}`);
}

import { spawn } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { endProgram } from "#tests/support/servers/end-program.ts";
import { freePort } from "#tests/support/servers/free-port.ts";
import { shippedFile } from "#tests/support/servers/shipped-file.ts";
import { whenReady } from "#tests/support/servers/when-ready.ts";
import { atEnd } from "#tests/support/setup/at-end.ts";
import { temporaryFolder } from "#tests/support/setup/temporary-folder.ts";

/** PgBouncer with ops/pgbouncer.ini in front of a PostgreSQL that needs no password. `replaced` changes lines of the file. */
export async function startPgbouncer(databaseUrl: string, replaced: Record<string, string> = {}) {
  const folder = temporaryFolder("pgbouncer");
  const port = await freePort();
  const { port: databasePort, username, pathname } = new URL(databaseUrl);
  const name = pathname.slice(1);
  const configuration = shippedFile("ops/pgbouncer.ini", {
    "engawa = ": `${name} = user=${username} `,
    "port=5432 dbname=engawa": `port=${databasePort} dbname=${name}`,
    "listen_port = 6432": `listen_port = ${port}`,
    "auth_type = scram-sha-256": "auth_type = any",
    "auth_file = /etc/pgbouncer/userlist.txt": "unix_socket_dir =",
    ...replaced,
  });
  const file = join(folder, "pgbouncer.ini");
  writeFileSync(file, configuration);
  // PgBouncer refuses to run as root.
  const asUser = process.getuid?.() === 0 ? ["-u", "nobody"] : [];
  const launch = () =>
    whenReady(spawn("pgbouncer", [...asUser, file], { stdio: ["ignore", "ignore", "pipe"] }), "process up");
  let server = await launch();
  const stop = () => endProgram(server);
  atEnd(stop);
  return {
    url: `postgres://${username}@127.0.0.1:${port}/${name}`,
    stop,
    async start() {
      server = await launch();
    },
  };
}

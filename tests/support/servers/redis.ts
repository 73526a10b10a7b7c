import { spawn } from "node:child_process";
import { endProgram } from "#tests/support/servers/end-program.ts";
import { freePort } from "#tests/support/servers/free-port.ts";
import { atEnd } from "#tests/support/setup/at-end.ts";

/** A Redis for one test, in memory. After a restart it has the same URL and no data. */
export async function startRedis() {
  const port = await freePort();
  let server = await launch(port);
  const stop = () => endProgram(server);
  atEnd(stop);
  return {
    url: `redis://127.0.0.1:${port}`,
    stop,
    async start() {
      server = await launch(port);
    },
  };
}

async function launch(port: number) {
  const options = ["--port", String(port), "--bind", "127.0.0.1", "--save", "", "--appendonly", "no"];
  const server = spawn("redis-server", options, { stdio: ["ignore", "pipe", "inherit"] });
  for await (const chunk of server.stdout.iterator({ destroyOnReturn: false }))
    if (String(chunk).includes("Ready to accept connections")) break;
  server.stdout.resume();
  return server;
}

import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { createServer } from "node:net";
import { afterAll } from "vitest";

export const hasRedis = spawnSync("redis-server", ["--version"]).status === 0;

/** A Redis of the test's own, in memory. */
export async function startRedis() {
  const port = await freePort();
  const server = spawn(
    "redis-server",
    ["--port", String(port), "--bind", "127.0.0.1", "--save", "", "--appendonly", "no"],
    {
      stdio: ["ignore", "pipe", "inherit"],
    },
  );
  const stop = async () => {
    if (server.exitCode !== null || server.signalCode !== null) return;
    server.kill();
    await once(server, "exit");
  };
  afterAll(stop);
  for await (const chunk of server.stdout) if (String(chunk).includes("Ready to accept connections")) break;
  server.stdout.resume();
  return { url: `redis://127.0.0.1:${port}`, stop };
}

async function freePort(): Promise<number> {
  const probe = createServer().listen(0, "127.0.0.1");
  await once(probe, "listening");
  const { port } = probe.address() as { port: number };
  probe.close();
  await once(probe, "close");
  return port;
}

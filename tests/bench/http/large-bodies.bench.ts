import { open } from "node:fs/promises";
import { connect } from "node:net";
import { join } from "node:path";
import type { Bench } from "#tests/bench/bench.ts";
import { download } from "#tests/bench/measuring/http-load.ts";
import { mediansInTurns } from "#tests/bench/measuring/median.ts";
import { type Served, startBareServer, startSite } from "#tests/bench/measuring/servers.ts";
import { temporaryFolder } from "#tests/support/setup/temporary-folder.ts";

const mebibyte = 1024 ** 2;
const size = 512 * mebibyte;

async function cpuPerGigabyte(server: Served, path: string) {
  const before = server.cpuSeconds();
  const bytes = await download(`${server.origin}${path}`);
  return ((server.cpuSeconds() - before) / bytes) * 1024 ** 3;
}

async function memoryPerStalledClient(server: Served, path: string) {
  const { hostname, port } = new URL(server.origin);
  const before = server.residentBytes();
  const sockets = Array.from({ length: 20 }, () => {
    const socket = connect(Number(port), hostname).pause();
    socket.write(`GET ${path} HTTP/1.1\r\nHost: ${hostname}\r\n\r\n`);
    return socket;
  });
  await new Promise((resolve) => setTimeout(resolve, 2000));
  const held = server.residentBytes() - before;
  for (const socket of sockets) socket.destroy();
  return Math.max(0, held) / sockets.length / mebibyte;
}

const bench: Bench = {
  title: "Large bodies",
  async run() {
    const folder = temporaryFolder("bench");
    const file = join(folder, "film.mp4");
    const handle = await open(file, "w");
    await handle.truncate(size);
    await handle.close();
    const bare = await startBareServer("pipe", file, { "Content-Type": "video/mp4" });
    const site = await startSite({ MEDIA_DIR: folder });
    const cost = await mediansInTurns(5, {
      bare: () => cpuPerGigabyte(bare, "/"),
      node: () => cpuPerGigabyte(site, "/media/film.mp4"),
    });
    const held = await memoryPerStalledClient(site, "/media/film.mp4");
    await Promise.all([bare.stop(), site.stop()]);
    const unit = "CPU s/GB";
    return [
      { label: "a film piped by bare node:http", value: cost.bare, unit },
      { label: "the same film from MEDIA_DIR", value: cost.node, unit, baseline: cost.bare },
      { label: "memory for each of 20 clients that request it and read nothing", value: held, unit: "MiB" },
    ];
  },
};
export default bench;

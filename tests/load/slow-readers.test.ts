import { linkSync, mkdirSync } from "node:fs";
import type { Socket } from "node:net";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { expect, onTestFinished, test } from "vitest";
import { figure } from "#tests/load/figures.ts";
import { recordStrain, watchSite } from "#tests/load/watch-site.ts";
import { makeFilm } from "#tests/support/data/made-films.ts";
import { filmViewer } from "#tests/support/requests/film-viewer.ts";
import { openSocket } from "#tests/support/requests/raw-http.ts";
import { temporaryFolder } from "#tests/support/setup/temporary-folder.ts";
import { runTool } from "#tests/support/site/command-line-tools.ts";
import { startSite } from "#tests/support/site/site-process.ts";

/** Clients read segments as slowly as they can, from a site of 1 GB. */

const films = join(temporaryFolder("films"), "films");
mkdirSync(films);
const x264 = "keyint=144:min-keyint=144:scenecut=0";
const picture = [...["-c:v", "libx264", "-preset", "ultrafast", "-x264-params", x264], "-b:v", "10M"];
// A segment of this film is larger than the system's buffer for one connection.
const film = { size: "960x540", filter: "noise=alls=40:allf=t", picture, sounds: [{ codec: "aac" }] };
const first = makeFilm(films, "Bleach - 1.mkv", { ...film, seconds: 12, times: 10 });
linkSync(first, join(films, "Bleach - 2.mkv"));
const site = await startSite({ MEDIA_DIR: films, MEMORY: "1024", METRICS_PORT: "0" });
runTool(site, "sources", ["scan", films]);

const readers = { count: 40, addresses: 10 };

/** Reads the status, and then one byte per second. */
async function readSlowly(path: string, address: string): Promise<{ socket: Socket; status: string }> {
  const socket = await openSocket(Number(new URL(site.origin).port), address);
  socket.on("error", () => {});
  socket.write(`GET ${path} HTTP/1.1\r\nHost: ${new URL(site.origin).host}\r\n\r\n`);
  const status = await new Promise<string>((found) => {
    socket.once("readable", () => found(String(socket.read(12) ?? "")));
    socket.once("close", () => found("closed"));
  });
  const reading = setInterval(() => socket.read(1), 1000);
  socket.once("close", () => clearInterval(reading));
  return { socket, status: status.slice(-3) };
}

test("while 40 clients read one byte per second, another viewer gets every segment", async () => {
  const viewer = filmViewer(site.origin, "127.0.0.2");
  const [slowFolder, folder] = [await viewer.findFolder(269, 1), await viewer.findFolder(269, 2)];
  const parts = (await viewer.listParts(`${slowFolder}`, "v")).slice(1);
  const { bytes } = await viewer.ask(`${slowFolder}${parts[1]}`);
  expect(bytes.length).toBeGreaterThan(5_000_000);
  const strain = watchSite(site);
  const slow = await Promise.all(
    Array.from({ length: readers.count }, async (_, at) => {
      await pause(20 * at);
      return readSlowly(
        `${slowFolder}${parts[at % parts.length]}`,
        `127.0.9.${1 + (at % readers.addresses)}`,
      );
    }),
  );
  onTestFinished(() => {
    for (const { socket } of slow) socket.destroy();
  });
  expect(slow.filter(({ status }) => status === "200").length).toBe(readers.count);
  const times: number[] = [];
  for (const name of parts) {
    const part = await viewer.ask(`${folder}${name}`);
    expect(part.status).toBe(200);
    expect(part.bytes.length).toBeGreaterThan(1_000_000);
    times.push(part.ms);
  }
  const test = "another viewer beside 40 slow readers";
  figure(test, "slowest segment of six seconds", Math.max(...times), "ms");
  recordStrain(test, await strain());
});

async function countCuts(): Promise<number> {
  const metrics = site.logged.find(({ message }) => message === "metrics")?.address;
  const text = await (await fetch(`${metrics}/metrics`)).text();
  return Number(/engawa_film_seconds_count\{kind="segment"\} (\d+)/.exec(text)?.[1] ?? 0);
}

test("a segment that a client is still reading is not cut again for the next viewer", async () => {
  const viewer = filmViewer(site.origin, "127.0.0.3");
  const folder = await viewer.findFolder(269, 2);
  const [read = "", ...others] = (await viewer.listParts(`${folder}`, "v")).slice(1, 7);
  const { bytes } = await viewer.ask(`${folder}${read}`);
  const { socket, status } = await readSlowly(`${folder}${read}`, "127.0.9.1");
  onTestFinished(() => void socket.destroy());
  expect(status).toBe("200");
  // These segments together exceed the cache of the site.
  for (const name of others) await viewer.ask(`${folder}${name}`);
  const before = await countCuts();
  const again = await viewer.ask(`${folder}${read}`);
  expect(again.bytes.equals(bytes)).toBe(true);
  expect(await countCuts()).toBe(before);
  socket.destroy();
  await expect
    .poll(
      async () => {
        await viewer.ask(`${folder}${read}`);
        return countCuts();
      },
      { interval: 500 },
    )
    .toBe(before + 1);
});

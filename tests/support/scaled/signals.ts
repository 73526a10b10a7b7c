import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { afterAll, expect, test } from "vitest";
import { isAlive } from "#tests/support/checks/is-alive.ts";
import { startUpstream } from "#tests/support/servers/upstream.ts";
import { postmasterOf } from "#tests/support/site/memory.ts";
import { newDataDir } from "#tests/support/site/site-process.ts";

/** Signals to `npm start` with the embedded database. */

type Started = { npm: ChildProcess; server: number; postmaster: number; origin: string; said: string[] };

/**
 * All tests share the folder, because creating a database is slow. Each start thus also checks that the previous end was
 * clean.
 */
const dataDir = newDataDir();
export const started: number[] = [];
afterAll(() => {
  for (const pid of started.filter(isAlive)) process.kill(pid, "SIGKILL");
});

/** A film that arrives when the test allows it. */
let sendFilm = () => {};
export const slow = await startUpstream((_asked, response) => {
  sendFilm = () =>
    void response.writeHead(200, { "content-type": "video/mp2t" }).end(Buffer.alloc(1880, 0x47));
});

const environment = { ...process.env, DATABASE_URL: "", DATA_DIR: dataDir, PORT: "0", LOG_LEVEL: "info" };

export function runNpm(words: string[], settings: Record<string, string> = {}) {
  const npm = spawn("npm", words, {
    env: { ...environment, ...settings },
    // A process group of its own, as in a terminal.
    detached: true,
    stdio: ["ignore", "pipe", "pipe"],
  });
  const said: string[] = [];
  for (const output of [npm.stdout, npm.stderr])
    createInterface({ input: output }).on("line", (line) => said.push(line));
  started.push(npm.pid ?? 0);
  return { npm, said };
}

export const readPostmaster = () => postmasterOf(dataDir);

export async function startSite(settings: Record<string, string> = {}): Promise<Started> {
  const { npm, said } = runNpm(["start"], { ALLOW_PRIVATE_UPSTREAMS: "127.0.0.1", ...settings });
  const findOrigin = () => said.flatMap((line) => /listening","address":"([^"]+)/.exec(line)?.[1] ?? [])[0];
  // The first start creates the database.
  await expect.poll(findOrigin, { timeout: 200_000 }).toBeTruthy();
  const site = {
    npm,
    said,
    origin: findOrigin() ?? "",
    postmaster: readPostmaster() ?? 0,
    server: findServer(npm.pid ?? 0),
  };
  started.push(site.server, site.postmaster);
  return site;
}

function findServer(group: number) {
  const lines = execFileSync("ps", ["-eo", "pid=,pgid=,args="], { encoding: "utf8" }).split("\n");
  const found = lines.find((line) => line.includes(` ${group} node `) && line.includes("ops/start.mjs"));
  return Number.parseInt(found ?? "", 10);
}

/** Requests the slow film, and waits until the site has requested it from its source. */
async function askSlowly({ origin }: Started, name: string) {
  const before = slow.requests.length;
  const url = `${slow.origin}/${name}.ts`;
  const answer = fetch(`${origin}/api/videoProxy?url=${encodeURIComponent(url)}`).then(
    async (response) => `${response.status}, ${(await response.arrayBuffer()).byteLength} bytes`,
    () => "cut",
  );
  await expect.poll(() => slow.requests.length).toBe(before + 1);
  return { answer };
}

const stops = ({ said }: Started) => said.filter((line) => line.includes('"message":"stopping"')).length;

export async function expectEnded({ server, postmaster }: Started) {
  await expect.poll(() => [server, postmaster].filter(isAlive)).toEqual([]);
  expect(readPostmaster()).toBeUndefined();
}

const targets = {
  npm: ({ npm }: Started) => npm.pid ?? 0,
  "the process group": ({ npm }: Started) => -(npm.pid ?? 0),
  "the process": ({ server }: Started) => server,
};

type Signal = "SIGTERM" | "SIGINT" | "SIGHUP";

export function testSignals(combinations: readonly [signal: Signal, target: keyof typeof targets][]) {
  test.each(combinations)(
    "%s to %s answers the request under way and stops the database",
    async (signal, target) => {
      const site = await startSite();
      const { answer } = await askSlowly(site, `${signal}-${target}`);
      const npmEnd = once(site.npm, "exit");
      const isServerLeft = npmEnd.then(() => isAlive(site.server));
      process.kill(targets[target](site), signal);
      await expect.poll(() => stops(site)).toBe(1);
      sendFilm();
      expect(await answer).toBe("200, 1880 bytes");
      await expectEnded(site);
      expect(stops(site)).toBe(1);
      // npm does not handle SIGHUP. It passes every other signal on, and ends as the server does.
      const isNpmHungUp = signal === "SIGHUP" && target !== "the process";
      expect(await isServerLeft).toBe(isNpmHungUp);
      expect(await npmEnd).toEqual(isNpmHungUp ? [null, "SIGHUP"] : [0, null]);
    },
  );
}

/**
 * The server's clock stops five seconds after the first signal. The ten seconds after which it cuts requests therefore
 * never pass: only a second signal can cut them.
 */
const stopClock = `if (process.argv[1]?.endsWith("start.mjs")) {
  const now = performance.now.bind(performance);
  let last = Infinity;
  performance.now = () => Math.min(now(), last);
  for (const signal of ["SIGTERM", "SIGINT", "SIGHUP"])
    process.once(signal, () => { last = Math.min(last, now() + 5000); });
}`;
const NODE_OPTIONS = `--import=data:text/javascript,${encodeURIComponent(stopClock)}`;

export function testSignalsTwice(signals: readonly Signal[]) {
  test.each(signals)(
    "%s again after the first second cuts the requests under way and still stops the database",
    async (signal) => {
      const site = await startSite({ NODE_OPTIONS });
      const { answer } = await askSlowly(site, `twice-${signal}`);
      const group = -(site.npm.pid ?? 0);
      process.kill(group, signal);
      // Within the first second, further signals count as the same request to stop. The film never arrives.
      const again = setInterval(() => isAlive(site.server) && process.kill(site.server, signal), 200);
      expect(await answer).toBe("cut");
      clearInterval(again);
      await expectEnded(site);
      expect(stops(site)).toBe(1);
    },
  );
}

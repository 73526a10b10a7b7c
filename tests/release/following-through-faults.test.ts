import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { expect, test } from "vitest";
import { until } from "#tests/support/checks/wait-until.ts";
import { changesOfAnHour } from "#tests/support/data/generated-changes.ts";
import { startFaultyNetwork } from "#tests/support/servers/faulty-network.ts";
import { freePort } from "#tests/support/servers/free-port.ts";
import { runTool } from "#tests/support/site/command-line-tools.ts";
import { newDataDir, type Site, startSite } from "#tests/support/site/site-process.ts";

/** A site with its embedded database, which can be killed and restarted with the same data. */
class Restarting {
  site: Site;
  readonly #settings: Record<string, string>;

  private constructor(site: Site, settings: Record<string, string>) {
    this.site = site;
    this.#settings = settings;
  }

  static async start(more: Record<string, string>) {
    const settings = { DATA_DIR: newDataDir(), PORT: String(await freePort()), ...more };
    return new Restarting(await startSite(settings, { isQuiet: true }), settings);
  }

  async killAndStart() {
    const closed = once(this.site.process, "close");
    this.site.process.kill("SIGKILL");
    await closed;
    this.site = await startSite(this.#settings, { isQuiet: true });
  }

  /** Runs a tool beside the site, on the site's database, which can stop in the middle. */
  run(tool: string, ...toolArguments: string[]) {
    const child = spawn(process.execPath, [resolve(`build/server/${tool}.js`), ...toolArguments], {
      env: {
        ...process.env,
        NODE_ENV: "production",
        DATABASE_URL: "",
        LOG_LEVEL: "error",
        ...this.#settings,
      },
      stdio: ["ignore", "pipe", "ignore"],
    });
    let said = "";
    child.stdout.on("data", (text) => {
      said += text;
    });
    const ended = once(child, "close").then(([code]) => ({ code: code as number | null, said }));
    return { child, ended };
  }
}

type Line = Record<string, unknown> & { kind: string; mal_id?: number; from?: number };

/** Titles, relations, episodes and segments of a catalog, without fields that are never shared with other installations. */
function contentOf({ site }: Restarting): Line[] {
  const lines = runTool(site, "catalog-export", ["--with-texts"])
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as Line)
    .filter(({ kind }) => ["title", "relation", "episode", "skip"].includes(kind))
    .filter(({ mal_id, from }) => Number(mal_id ?? from) < 900_000_000);
  const known = new Map(lines.map((line) => [line.mal_id, line.title]));
  return lines.map(({ texts_from: _, ...line }) => ({
    ...line,
    // The catalog shows the name stored in a relation only if it does not have the title.
    ...(line.kind === "relation" && { name: known.get(line.to as number) ?? line.name }),
  }));
}

type Sides = { leader: Restarting; follower: Restarting; reader: ChildProcess };
const faults: ((sides: Sides, network: Awaited<ReturnType<typeof startFaultyNetwork>>) => unknown)[] = [
  async ({ reader }, network) => {
    network.refuse(true);
    if (reader.exitCode === null) await once(reader, "exit");
    network.refuse(false);
  },
  ({ leader }) => leader.killAndStart(),
  ({ reader }) => reader.kill("SIGKILL"),
  ({ follower }) => follower.killAndStart(),
];

/** Each fault happens this many times, while an hour of changes is divided among the rounds. */
const times = 2;

test("a site follows an hour of another's changes through kills of both and dropped connections, and both catalogs end equal", async () => {
  const leader = await Restarting.start({ CATALOG_SHARE: "public" });
  const network = await startFaultyNetwork(leader.site.origin);
  const follower = await Restarting.start({ CATALOG_FEEDS: `engawa 1h ${network.url}` });
  const read = () => follower.run("catalog-feeds", "--now");
  for (const [round, changes] of changesOfAnHour(times * faults.length).entries()) {
    const file = join(leader.site.dataDir, "changes.ndjson");
    writeFileSync(file, changes.map((line) => `${JSON.stringify(line)}\n`).join(""));
    const carried = network.carried();
    const [importing, following] = [leader.run("catalog-import", file), read()];
    const reader = following.child;
    // Each round has its fault later in the answer, or after the end of a short answer.
    await until(() => network.carried() > carried + 4000 * round || reader.exitCode !== null);
    await faults[round % faults.length]?.({ leader, follower, reader }, network);
    if ((await importing.ended).code !== 0)
      expect((await leader.run("catalog-import", file).ended).code).toBe(0);
    await following.ended;
  }
  network.refuse(true);
  expect((await read().ended).code).toBe(1);
  network.refuse(false);
  await expect.poll(async () => (await read().ended).said, { timeout: 120_000 }).toContain("Nothing new");
  const [given, got] = [contentOf(leader), contentOf(follower)];
  expect(given.length).toBeGreaterThan(1000);
  expect(got).toEqual(given);
});

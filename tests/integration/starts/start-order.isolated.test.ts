import { spawn } from "node:child_process";
import { once } from "node:events";
import { chmodSync, cpSync, existsSync, mkdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { expect, test } from "vitest";
import { newDatabase } from "#tests/support/database/new-database.ts";
import { listenLocally } from "#tests/support/servers/listen-locally.ts";
import { newDataDir, startSite } from "#tests/support/site/site-process.ts";

/** The built server, until it answers its first request. */

test.each(["PORT", "METRICS_PORT"])(
  "a taken %s ends the start before a database or a folder is made",
  async (name) => {
    const occupied = createServer();
    const port = await listenLocally(occupied);
    const dataDir = join(newDataDir(), "data");
    const child = spawn(process.execPath, ["build/server/server.js"], {
      env: {
        ...process.env,
        NODE_ENV: "production",
        DATABASE_URL: "",
        PORT: "0",
        DATA_DIR: dataDir,
        [name]: String(port),
      },
      stdio: ["ignore", "ignore", "pipe"],
    });
    const [said, [code]] = await Promise.all([text(child.stderr), once(child, "exit")]);
    occupied.close();
    expect(code).toBe(1);
    expect(said.trim().split("\n").at(-1)).toMatch(new RegExp(`^Port ${port} is taken.* ${name}\\.$`));
    expect(existsSync(dataDir)).toBe(false);
  },
);

test("at its start, the site makes its data folders private, old ones too, and reports a missing MEDIA_DIR once", async () => {
  const dataDir = newDataDir();
  const earlier = ["film-cache", "image-cache", "images", "feeds", "backups"].map((name) =>
    join(dataDir, name),
  );
  for (const folder of earlier) {
    mkdirSync(folder);
    chmodSync(folder, 0o755);
  }
  const missing = join(dataDir, "not-mounted");
  const settings = {
    DATABASE_URL: await newDatabase(),
    DATA_DIR: dataDir,
    SESSION_SECRET: "kept ".repeat(10),
    HOST: "127.0.0.1",
    MEDIA_DIR: missing,
  };
  const site = await startSite(settings, { isQuiet: true });
  const modes = (folders: string[]) => folders.map((folder) => statSync(folder).mode & 0o777);
  expect(modes(earlier)).toEqual(earlier.map(() => 0o700));
  const lines = () =>
    site.logged.filter(({ message }) => message?.includes(`${missing} (MEDIA_DIR), is missing`));
  await expect.poll(() => lines().length).toBe(1);
  const image = join(dataDir, "image-cache");
  rmSync(image, { recursive: true });
  expect((await fetch(`${site.origin}/poster/1.webp?w=200`)).status).toBe(200);
  await expect.poll(() => existsSync(image)).toBe(true);
  expect(modes([image])).toEqual([0o700]);
  await site.stop();
  expect(lines()).toHaveLength(1);
});

test.each(["SIGTERM", "SIGINT", "SIGHUP"] as const)(
  "npm start that gets %s while it waits for an installation ends with 0",
  async (signal) => {
    const clone = newDataDir();
    cpSync("ops", join(clone, "ops"), { recursive: true });
    for (const name of ["package.json", "package-lock.json"]) cpSync(name, join(clone, name));
    // This file says that another command is installing in this clone.
    writeFileSync(join(clone, ".preparing"), String(process.pid));
    const child = spawn(process.execPath, ["ops/start.mjs"], {
      cwd: clone,
      stdio: ["ignore", "ignore", "pipe"],
    });
    const ended = once(child, "exit");
    await once(child.stderr, "data");
    child.kill(signal);
    expect(await ended).toEqual([0, null]);
  },
);

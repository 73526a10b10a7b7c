import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { createInterface } from "node:readline";
import { expect, test } from "vitest";
import { atEnd } from "#tests/support/setup/at-end.ts";
import { newDataDir } from "#tests/support/site/site-process.ts";

/** ops/engawa.service, checked by systemd. */

const unit = readFileSync("ops/engawa.service", "utf8");
const settingOf = (name: string) => new RegExp(`^${name}=(.*)$`, "m").exec(unit)?.[1] ?? "";

/** systemd-analyze only warns about unknown words, with exit code 0. */
function verify(file: string) {
  const { stdout, stderr, status } = spawnSync("systemd-analyze", ["verify", "--man=no", file], {
    encoding: "utf8",
  });
  return { status, said: (stdout + stderr).trim() };
}

test("systemd finds nothing wrong with the unit, and does report an unknown word", () => {
  expect(verify(resolve("ops/engawa.service"))).toEqual({ status: 0, said: "" });
  const wrong = join(newDataDir(), "engawa.service");
  writeFileSync(wrong, unit.replace("KillMode=mixed", "KillMode=mixd"));
  expect(verify(wrong).said).toContain("mixd");
});

test("root's tools can open the data of the stopped service: it has a user that exists also then, which the page makes", () => {
  expect(settingOf("DynamicUser")).toBe("");
  expect(settingOf("User")).toBe("engawa");
  const page = readFileSync("docs/install/systemd.md", "utf8");
  expect(page).toMatch(/^useradd --system .* engawa$/m);
});

test("the unit's command starts the site with its settings, and SIGTERM ends the site within the unit's time limit", async () => {
  const dataDir = newDataDir();
  const [, script = ""] = /^\/bin\/sh -c '(.*)'$/.exec(settingOf("ExecStart")) ?? [];
  const settings = Object.fromEntries(
    settingOf("Environment")
      .split(" ")
      .map((setting) => setting.split("=")),
  );
  expect(settings).toEqual({ NODE_ENV: "production", DATA_DIR: "/var/lib/engawa" });
  const site = spawn("/bin/sh", ["-c", script.replaceAll("$$", "$")], {
    env: { ...process.env, ...settings, DATA_DIR: dataDir, PORT: "0", DATABASE_URL: "", LOG_LEVEL: "info" },
    stdio: ["ignore", "pipe", "inherit"],
  });
  const closed = once(site, "close");
  atEnd(() => site.kill("SIGINT"));
  let address = "";
  for await (const line of createInterface({ input: site.stdout })) {
    address = /"listening","address":"([^"]+)"/.exec(line)?.[1] ?? "";
    if (address !== "") break;
  }
  site.stdout.resume();
  expect((await fetch(`${address}/readyz`)).status).toBe(200);
  const askedAt = performance.now();
  site.kill("SIGTERM");
  expect(await closed).toEqual([0, null]);
  expect(performance.now() - askedAt).toBeLessThan(Number(settingOf("TimeoutStopSec")) * 1000);
});

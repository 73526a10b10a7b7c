import type { ChildProcess } from "node:child_process";
import { subscribe } from "node:diagnostics_channel";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { temporaryFolder } from "#tests/support/setup/temporary-folder.ts";

/** The process that scans films ends with the site. */

const media = join(temporaryFolder("scanner"), "media");
mkdirSync(media);
Object.assign(process.env, { MEDIA_DIR: media });
const { startScanning } = await import("#app/domain/scanning/scanning.server.ts");

test("a scanner that reacts to nothing ends when the site stops", async () => {
  const busy = new Promise<ChildProcess>((resolve) => {
    subscribe("child_process", (message) => {
      const child = (message as { process: ChildProcess }).process;
      // The first beat comes after the handlers of signals.
      child.once("message", () => child.spawnargs.includes("--for-site") && resolve(child));
    });
  });
  const stopScanning = startScanning();
  const scanner = await busy;
  // A stopped process does not get SIGTERM, like one that is busy.
  scanner.kill("SIGSTOP");
  await stopScanning();
  expect(scanner.signalCode).toBe("SIGKILL");
});

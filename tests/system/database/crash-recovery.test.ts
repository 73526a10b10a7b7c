import { expect, test } from "vitest";
import { isReady, settings, testKills } from "#tests/support/scaled/crash-recovery.ts";
import { startSite } from "#tests/support/site/site-process.ts";

/** A crash of all processes. tests/release also kills the server and the database alone. */

testKills(["both"]);

test("the site keeps running after the reader of its log closes the pipe", async () => {
  const site = await startSite(settings());
  for (const output of [site.process.stdout, site.process.stderr]) output?.destroy();
  // Every request writes a line to the log. The first line after the pipe closes causes the error.
  for (let request = 0; request < 20; request++) expect(await isReady(site)).toBe(true);
  await site.stop();
  expect(site.process.exitCode).toBe(0);
});

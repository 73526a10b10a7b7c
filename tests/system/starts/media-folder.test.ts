import { join } from "node:path";
import { expect, test } from "vitest";
import { newDataDir, startSite } from "#tests/support/site/site-process.ts";

/** A folder of films that is not there. tests/release changes the folder while the site runs. */

test("a site whose folder of films is missing starts, answers, and warns with the folder's name", async () => {
  const folder = join(newDataDir(), "nowhere");
  const site = await startSite({ MEDIA_DIR: folder }, { isQuiet: true });
  expect((await fetch(site.origin)).status).toBe(200);
  await expect
    .poll(() => site.logged.map(({ message }) => message).join("\n"))
    .toContain(`${folder} (MEDIA_DIR), is missing`);
  await site.stop();
});

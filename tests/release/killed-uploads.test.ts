import { once } from "node:events";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import sharp from "sharp";
import { expect, test } from "vitest";
import { cidOf } from "#app/domain/images/storage/cid.server.ts";
import { signUpAt } from "#tests/support/requests/session-member.ts";
import { newDataDir, startSite } from "#tests/support/site/site-process.ts";

test("kill -9 during uploads leaves no partial picture, and every acknowledged picture is served after a restart", async () => {
  const dataDir = newDataDir();
  // A busy machine refuses an upload again and again, or does not end it in time.
  const victim = await startSite({ DATA_DIR: dataDir, RATE_LIMIT_POINTS: "1000000" });
  const member = await signUpAt(victim.origin, "somebody@example.org");
  const acknowledged: string[] = [];
  const uploads = Array.from({ length: 24 }, async (_, at) => {
    const image = await sharp({
      create: { width: 500, height: 500, channels: 3, background: { r: at * 9, g: 99, b: 0 } },
    })
      .png()
      .toBuffer();
    const upload = { image: image.toString("base64"), filename: "a.png" };
    const send = () => member.ask(`${victim.origin}/api/uploadImage`, upload);
    let response = await send();
    while (!response.ok) response = await send();
    acknowledged.push(((await response.json()) as { data: string }).data);
    if (acknowledged.length === 6) victim.process.kill("SIGKILL");
  });
  await Promise.all([once(victim.process, "exit"), Promise.allSettled(uploads)]);
  const folder = join(dataDir, "images");
  for (const entry of existsSync(folder) ? readdirSync(folder, { recursive: true, withFileTypes: true }) : [])
    if (entry.isFile() && !entry.name.includes("."))
      expect(cidOf(readFileSync(join(entry.parentPath, entry.name)))).toBe(entry.name);
  expect(acknowledged.length).toBeGreaterThanOrEqual(6);
  const again = await startSite({ DATA_DIR: dataDir });
  for (const url of acknowledged)
    expect((await fetch(again.origin + new URL(url).pathname)).status).toBe(200);
});

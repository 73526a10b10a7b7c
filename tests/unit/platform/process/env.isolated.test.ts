import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { temporaryFolder } from "#tests/support/setup/temporary-folder.ts";

test("the first line of .env counts after a byte order mark, and the shell overrides the file", async () => {
  const folder = temporaryFolder("env");
  writeFileSync(join(folder, ".env"), "\uFEFFSITE_NAME=From the file\nPORT=4000\nHOST=0.0.0.0\n");
  delete process.env.SITE_NAME;
  delete process.env.PORT;
  process.env.HOST = "127.0.0.1";
  const before = process.cwd();
  process.chdir(folder);
  try {
    const { env } = await import("#app/platform/process/env.server.ts");
    expect(env).toMatchObject({ SITE_NAME: "From the file", PORT: 4000, HOST: "127.0.0.1" });
  } finally {
    process.chdir(before);
  }
});

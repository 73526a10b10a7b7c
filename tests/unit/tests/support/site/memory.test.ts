import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { temporaryFolder } from "#tests/support/setup/temporary-folder.ts";
import { processesOf } from "#tests/support/site/memory.ts";

test("an embedded database that its site started counts once", async () => {
  const dataDir = temporaryFolder("processes");
  const database = spawn(process.execPath, ["-e", "setInterval(() => {}, 1000)"]);
  try {
    await once(database, "spawn");
    mkdirSync(join(dataDir, "database/cluster"), { recursive: true });
    writeFileSync(join(dataDir, "database/cluster/postmaster.pid"), `${database.pid}\n`);
    expect(processesOf(process.pid, dataDir).filter((pid) => pid === database.pid)).toHaveLength(1);
  } finally {
    database.kill();
  }
});

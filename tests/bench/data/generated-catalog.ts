import { execFile } from "node:child_process";
import { writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import { generatedTitle } from "#tests/support/data/generated-titles.ts";

/** Imports generated titles into the running site as an operator does. Returns the time in seconds. */
export async function importGenerated(folder: string, count: number, site = ".") {
  const file = join(folder, "titles.ndjson");
  const lines = Array.from({ length: count }, (_, index) => `${JSON.stringify(generatedTitle(index + 1))}\n`);
  await writeFile(file, lines);
  const startedAt = performance.now();
  await promisify(execFile)(process.execPath, [resolve(site, "build/server/catalog-import.js"), file], {
    env: { ...process.env, NODE_ENV: "production", DATABASE_URL: "", DATA_DIR: folder },
  });
  return (performance.now() - startedAt) / 1000;
}

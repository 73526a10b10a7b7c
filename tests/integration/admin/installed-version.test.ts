import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, expect, test } from "vitest";
import { env } from "#app/platform/process/env.server.ts";
import { htmlOf } from "#tests/support/requests/response-data.ts";
import { newOperator } from "#tests/support/requests/visitor.ts";

/** The administration's start page shows the version, the way back, and that there is no media folder yet. */

const folder = join(env.DATA_DIR, "backups");
const operator = await newOperator();
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const readPage = () => htmlOf(operator.request("/admin"));
const nameOfBackup = (at: Date) => `before-migration-${at.toISOString().replaceAll(/[:.]/g, "-")}.gz`;
const hoursAgo = (count: number) => nameOfBackup(new Date(Date.now() - count * 3_600_000));

test("it names the version and the database's last change, and says that there is nothing to go back to", async () => {
  const { version } = JSON.parse(readFileSync("package.json", "utf8"));
  const journal = JSON.parse(readFileSync("db/migrations/meta/_journal.json", "utf8"));
  const page = await readPage();
  expect(page).toContain(`Engawa ${version}, database ${journal.entries.at(-1).tag}.`);
  expect(page).toContain("No update has changed the database yet.");
  expect(page).not.toContain("--replace");
});

test("after an update, it names the newest backup from before it, its age, and the restore command", async () => {
  mkdirSync(folder, { recursive: true });
  const [older, newer] = [hoursAgo(50), hoursAgo(3)];
  for (const name of [older, newer, "engawa-9999.gz", "before-migration-zzz.gz.part"])
    writeFileSync(join(folder, name), "");
  const page = await readPage();
  expect(page).toContain("3 hours ago");
  expect(page).toContain(`npm run restore -- ${join(folder, newer)} --replace`);
  expect(page).not.toContain(older);
});

test("a new site without a media folder says so, with the link to choose it", async () => {
  expect(await readPage()).toMatch(
    /No media folder yet: [^<]*<\/span> <a [^>]*href="\/admin\/setup"[^>]*>Choose/,
  );
});

import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { htmlOf } from "#tests/support/requests/response-data.ts";
import { freePort } from "#tests/support/servers/free-port.ts";
import { temporaryFolder } from "#tests/support/setup/temporary-folder.ts";

/** The operator's view of a site that works only in part. */

const root = temporaryFolder("health");
const folder = join(root, "films");
Object.assign(process.env, {
  MEDIA_DIR: folder,
  FFMPEG: join(root, "ffmpeg"),
  SMTP_URL: `smtp://user:secret@127.0.0.1:${await freePort()}`,
  MAIL_FROM: "site@example.org",
  PUBLIC_URL: "http://localhost",
});
const { newOperator } = await import("#tests/support/requests/visitor.ts");
const { db } = await import("#db/client.server.ts");
const { feeds, feedRuns } = await import("#db/schema/feeds.ts");
const { fetchFullCatalog, listFeeds } = await import("#app/domain/feeds/feeds.server.ts");

const operator = await newOperator();

async function readPage(path = "/admin") {
  const response = await operator.request(path);
  expect(response.status).toBe(200);
  return htmlOf(response);
}

test("a folder of films that is missing, is a file, or is back is reported as such", async () => {
  expect(await readPage()).toContain(`${folder} (MEDIA_DIR), is missing`);
  writeFileSync(folder, "");
  expect(await readPage()).toContain(`${folder} (MEDIA_DIR) is a file`);
  rmSync(folder);
  mkdirSync(folder);
  const page = await readPage();
  expect(page).not.toContain("is missing");
  expect(page).not.toContain("is a file");
});

test("a missing ffmpeg and a silent mail server are reported, without the mail server's password", async () => {
  const page = await readPage();
  expect(page).toContain("(FFMPEG) is not a program that this user can run; correct the path");
  expect(page).toMatch(/The mail server 127\.0\.0\.1:\d+ does not answer/);
  expect(page).not.toContain("secret");
});

test("where the site sends mail, the page of users says which addresses are not confirmed, and what that is", async () => {
  const page = await readPage("/admin/users");
  expect(page).toContain("An address is confirmed when");
  expect(page).toContain("not confirmed");
});

test("a failed feed is reported with its reason until it succeeds", async () => {
  await fetchFullCatalog({ isWeekly: false });
  const [feed] = await listFeeds();
  const now = new Date();
  await db.update(feeds).set({ failures: 1 });
  const at = { startedAt: now, seenAt: now, endedAt: now };
  const run = { ...at, feed: feed!.name, outcome: "failed" as const };
  await db.insert(feedRuns).values({ ...run, message: "The server of the feed is away" });
  expect(await readPage()).toContain("The server of the feed is away");
  await db.update(feeds).set({ failures: 0 });
  expect(await readPage()).not.toContain("The server of the feed is away");
});

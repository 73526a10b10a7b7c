import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { eq, sql } from "drizzle-orm";
import { expect, test } from "vitest";
import { writeOldFilm } from "#tests/support/data/old-films.ts";
import { htmlOf } from "#tests/support/requests/response-data.ts";
import { temporaryFolder } from "#tests/support/setup/temporary-folder.ts";

/** The list of tasks for an operator, one kind after the other, on a site with films and open sign-up. */

const folder = temporaryFolder("site-needs");
Object.assign(process.env, {
  MEDIA_DIR: folder,
  FILMS: "members",
  FFMPEG: "off",
  SIGNUPS: "",
  CONVERSIONS: "0",
});
const { newOperator } = await import("#tests/support/requests/visitor.ts");
const { someTitle } = await import("#tests/support/data/database-rows.ts");
const { db } = await import("#db/client.server.ts");
const { users } = await import("#db/schema/accounts.ts");
const { securityEvents } = await import("#db/schema/events.ts");
const { feeds, feedRuns } = await import("#db/schema/feeds.ts");
const { scans } = await import("#db/schema/scanning.ts");
const { failedPlays } = await import("#db/schema/library.ts");
const { recordEvent, commandLine } = await import("#app/domain/events/events.server.ts");
const { fetchFullCatalog, listFeeds } = await import("#app/domain/feeds/feeds.server.ts");
const { createSource, recordFailedPlay } = await import("#app/domain/playback/playback.server.ts");
const { unrestricted } = await import("#app/domain/visibility/visibility.server.ts");
const { scanLibrary } = await import("#app/domain/scanning/scanning.server.ts");

const operator = await newOperator();

const nothing = "Nothing needs you.";
const joinPath = "/admin/setup?step=people#signUps";

async function readPage(path: string) {
  const response = await operator.request(path);
  expect(response.status).toBe(200);
  return htmlOf(response);
}

/** The needs on the start page with their links. The last step of the setup has the same list; "nothing" means that it is empty. */
async function listNeeds() {
  const [overview, setup] = await Promise.all(["/admin", "/admin/setup?step=watch"].map(readPage));
  const needsOf = (html: string) =>
    [...html.matchAll(/<li data-about="(\w+)"><span[^>]*>([^<]*)<\/span>(?: <a [^>]*href="([^"]*)")?/g)].map(
      ([, about, text, link]) => ({ about, text, link }),
    );
  const needs = needsOf(overview ?? "");
  expect(needsOf(setup ?? "")).toEqual(needs);
  for (const html of [overview, setup]) expect(html?.includes(nothing)).toBe(needs.length === 0);
  return needs;
}

const choose = (signUps: string) => operator.request("/admin/setup", { form: { intent: "people", signUps } });

test("who may join, until an operator chooses, and no other step of a site with a folder", async () => {
  await recordEvent({ kind: "backup_made", actor: commandLine });
  expect(await listNeeds()).toMatchObject([
    { about: "joining", text: "Who may join is not chosen yet.", link: joinPath },
  ]);
});

test("open sign-up with films, until sign-up is by invitation only", async () => {
  const people = await readPage("/admin/setup?step=people");
  expect(people).toContain("but none of your videos.");
  expect(people.split(/<\/?main/)[1]?.match(/>Who may join</g)).toHaveLength(1);
  await choose("open");
  expect(await listNeeds()).toMatchObject([
    { about: "joining", text: expect.stringContaining("Anybody who signs up can watch"), link: joinPath },
  ]);
  expect(await readPage("/admin/setup?step=people")).toContain('id="signUps"');
  await choose("invite");
  expect(await listNeeds()).toEqual([]);
});

const age = (text: string) => db.update(users).set({ createdAt: sql`now() - ${text}::interval` });

test("a backup that is missing, also after an update, calmly on a new site, or older than a month", async () => {
  await db.delete(securityEvents).where(eq(securityEvents.kind, "backup_made"));
  const backups = join(process.env.DATA_DIR ?? "", "backups");
  mkdirSync(backups, { recursive: true });
  const beforeUpdate = `before-migration-${new Date().toISOString().replaceAll(/[:.]/g, "-")}.gz`;
  writeFileSync(join(backups, beforeUpdate), "");
  expect(await listNeeds()).toMatchObject([
    {
      about: "backup",
      text: expect.stringMatching(
        /^No backup was made yet\. The command .*DATA_DIR=.* npm run backup writes one to \/.*backups /,
      ),
      link: undefined,
    },
  ]);
  const warning = '<li data-about="backup"><span class="admin-warning">';
  expect(await readPage("/admin")).not.toContain(warning);
  await age("8 days");
  expect(await readPage("/admin")).toContain(`${warning}No backup was made yet.`);
  await age("91 days");
  expect(await readPage("/admin")).toContain(`${warning}No backup was made in the last 90 days.`);
  await recordEvent({ kind: "backup_made", actor: commandLine });
  expect(await listNeeds()).toEqual([]);
  await db
    .update(securityEvents)
    .set({ at: sql`now() - interval '40 days'` })
    .where(eq(securityEvents.kind, "backup_made"));
  expect(await listNeeds()).toMatchObject([
    { about: "backup", text: expect.stringContaining("40 days old") },
  ]);
  await recordEvent({ kind: "backup_made", actor: commandLine });
  expect(await listNeeds()).toEqual([]);
});

test("a video without a known title, until an operator decides", async () => {
  writeOldFilm(folder, "Zzyzx/Zzyzx Unheard Of - 04.webm");
  await scanLibrary({ folder: "", reason: "start" });
  expect(await listNeeds()).toMatchObject([
    {
      about: "undecided",
      text: expect.stringContaining("1 video waits for you to say which title"),
      link: "/admin/films#films",
    },
  ]);
  await operator.request("/admin/films", { form: { intent: "folder-ignore", folder: "Zzyzx" } });
  await scanLibrary({ folder: "", reason: "start" });
  expect(await listNeeds()).toEqual([]);
});

test("files that cannot be played, without an alarm, until they are gone", async () => {
  const unplayable = async () => {
    await scanLibrary({ folder: "", reason: "start" });
    return listNeeds();
  };
  const link = "/admin/films#passed-over";
  writeOldFilm(folder, "Discs/Zzyzx.iso");
  const text = "1 file or folder cannot be played.";
  expect(await unplayable()).toMatchObject([{ about: "unplayable", text, link }]);
  expect(await readPage("/admin")).not.toContain('<li data-about="unplayable"><span class="admin-warning">');
  const films = await readPage("/admin/films");
  expect(films).toContain('id="passed-over"');
  expect(films).toContain("This scan noted 1 problem");
  writeOldFilm(folder, "Discs/Zzyzx 2.iso");
  expect(await unplayable()).toMatchObject([{ text: "2 files or folders cannot be played." }]);
  rmSync(join(folder, "Discs"), { recursive: true });
  expect(await unplayable()).toEqual([]);
});

test("a scan that failed, until one succeeds", async () => {
  const now = new Date();
  const counts = { found: 0, judged: 0, registered: 0, unsure: 0, gone: 0, moved: 0 };
  const scan = { folder: "", reason: "start" as const, startedAt: now, seenAt: now, endedAt: now, ...counts };
  const link = "/admin/films#scans";
  await db.insert(scans).values({ ...scan, outcome: "failed", message: "The disk went away" });
  expect(await listNeeds()).toMatchObject([
    { about: "scan", text: "The last scan failed: The disk went away", link },
  ]);
  await db.update(scans).set({ outcome: "done", message: null });
  expect(await listNeeds()).toEqual([]);
});

test("videos that failed to play in a week", async () => {
  const malId = await someTitle({ episodes: 3 });
  const played = "https://films.example/2.mp4";
  await createSource({ malId, episode: 2, url: played });
  await recordFailedPlay({ malId, episode: 2, played, reason: "expired" }, unrestricted);
  expect(await listNeeds()).toMatchObject([
    { about: "plays", text: "A video failed to play in the last 7 days.", link: "/admin#plays" },
  ]);
  await db.update(failedPlays).set({ at: sql`now() - interval '8 days'` });
  expect(await listNeeds()).toEqual([]);
});

test("a feed that fails, also while it is retried", async () => {
  await fetchFullCatalog({ isWeekly: false });
  const [feed] = await listFeeds();
  const at = new Date(Date.now() - 60_000);
  const run = { feed: feed!.name, startedAt: at, seenAt: at };
  await db.update(feeds).set({ failures: 1 });
  await db
    .insert(feedRuns)
    .values({ ...run, endedAt: at, outcome: "failed", message: "The server of the feed is away" });
  const need = {
    about: "feed",
    text: expect.stringContaining("The server of the feed is away"),
    link: "/admin/feeds",
  };
  expect(await listNeeds()).toMatchObject([need]);
  const now = new Date();
  await db.insert(feedRuns).values({ ...run, startedAt: now, seenAt: now });
  expect(await listNeeds()).toMatchObject([need]);
  await db.update(feeds).set({ failures: 0 });
  expect(await listNeeds()).toEqual([]);
});

import { readdirSync } from "node:fs";
import { join } from "node:path";
import postgres from "postgres";
import { expect, test } from "vitest";
import { driverArguments } from "#db/driver-arguments.ts";
import { plainPng } from "#tests/support/data/plain-picture.ts";
import { newDatabase } from "#tests/support/database/new-database.ts";
import { type Member, signInAt, signUpAt } from "#tests/support/requests/session-member.ts";
import { spawnTool } from "#tests/support/site/command-line-tools.ts";
import { newDataDir, type Site, startSite } from "#tests/support/site/site-process.ts";

/** Backup and restore: moving to another database. */

const secret = { SESSION_SECRET: "kept over the move".repeat(3) };

const exportOf = async ({ origin }: Site, member: Member) =>
  (await member.ask(`${origin}/api/user/export`)).json();

/** The member's exported account, watch list and picture. */
async function everythingOf(site: Site, cookie: string, picture: string) {
  const ask = (path: string) => fetch(`${site.origin}${path}`, { headers: { Cookie: cookie } });
  const exported = (await (await ask("/api/user/export")).text()).replaceAll(site.origin, "");
  const entries = (await (await ask("/api/user/watchList")).text()).replaceAll(site.origin, "");
  const bytes = Buffer.from(await (await ask(picture)).arrayBuffer()).toString("base64");
  // Each export is recorded as an event, so the next export has one event more.
  const same = exported
    .replace(/"exported_at":\s*"[^"]*"/, "")
    .replaceAll(/^.*"kind":"account_exported".*\n/gm, "");
  return { exported: same, entries, bytes };
}

async function fill(site: Site) {
  const member = await signUpAt(site.origin, "mover@example.org");
  const send = async (path: string, json: unknown, method = "POST") => {
    const answer = await member.ask(`${site.origin}${path}`, json, method);
    expect([path, answer.status]).toEqual([path, 200]);
    return (await answer.json()) as { data: string };
  };
  await send("/api/user/watchList", {
    animeId: 1,
    type: "Watching",
    progress: 3,
    notes: "tab\there \\N",
  });
  await send("/api/user/searchHistory", { query: "縁側 'quoted'" });
  const report = { mal_id: 900000001, ep: 1, position: 30, duration: 126, at: new Date().toISOString() };
  await send("/api/user/progress", report, "PUT");
  // Columns and tables of later migrations: preferences, dismissals, wishes, and the order of favorites.
  const preferences = { forgetsWatched: true, skipsSegments: true, playsNext: false, listsWatched: false };
  await send("/api/saveUserPreferences", preferences);
  await send("/api/user/profile", {
    name: "Mover",
    last_name: "M",
    gender: "other",
    favorite_animes: [21, 1, 5],
  });
  const headers = { Cookie: member.cookie, Origin: site.origin };
  for (const [path, fields] of [
    ["/list", { intent: "dismiss", mal_id: "5", place: "suggestions" }],
    ["/list", { intent: "dismiss", mal_id: "900000001", place: "continue" }],
    ["/wishes", { intent: "wish", id: "1" }],
    ["/wishes", { intent: "wish", id: "5" }],
  ] as const) {
    const body = new URLSearchParams({ ...fields });
    const answer = await fetch(`${site.origin}${path}`, {
      method: "POST",
      headers,
      body,
      redirect: "manual",
    });
    expect([path, answer.status]).toEqual([path, path === "/wishes" ? 302 : 200]);
  }
  const png = await plainPng(90, 90, "#804020");
  const image = { image: png.toString("base64"), filename: "me.png" };
  const { data: url } = await send("/api/uploadImage", image);
  await send("/api/saveImage", { avatar: url });
  return { member, picture: new URL(url).pathname };
}

test("a backup of an embedded database restores completely at DATABASE_URL, but not beside a running site", async () => {
  const old = await startSite({ ...secret, MEDIA_DIR: newDataDir() });
  const oldSettings = { DATABASE_URL: "", DATA_DIR: old.dataDir };
  const { member, picture } = await fill(old);
  const { cookie, email } = member;
  expect(
    (await spawnTool("sources", ["add", "5", "1", "https://films.example/5.mp4"], { settings: oldSettings }))
      .code,
  ).toBe(0);
  const wished = await fetch(`${old.origin}/wishes`, {
    method: "POST",
    headers: { Cookie: cookie, Origin: old.origin },
    body: new URLSearchParams({ intent: "wish", id: "1", episode: "2" }),
    redirect: "manual",
  });
  expect(wished.status).toBe(302);
  // The site notices the film, which fulfills a wish.
  await expect
    .poll(() => exportOf(old, member))
    .toMatchObject({
      profile: { favorite_animes: [21, 1, 5] },
      preferences: { forgetsWatched: true, skipsSegments: true, playsNext: false },
      dismissals: [{ mal_id: 5 }, { mal_id: 900000001 }],
      wishes: [
        { mal_id: 1, ep: null, fulfilled_at: null },
        { mal_id: 1, ep: 2, fulfilled_at: null },
        { mal_id: 5, ep: null, fulfilled_at: expect.any(String) },
      ],
    });
  const before = await everythingOf(old, cookie, picture);
  const file = join(newDataDir(), "moving.gz");
  const backup = await spawnTool("backup", [file, "--json"], { settings: oldSettings });
  expect(backup, backup.stderr).toMatchObject({ code: 0 });
  expect(JSON.parse(backup.stdout)).toMatchObject({ pictures: 1, missingPictures: 0 });
  const catalog = await spawnTool("catalog-export", [], { settings: oldSettings });
  await old.stop();

  const newSettings = {
    DATABASE_URL: await newDatabase({ isEmpty: true }),
    DATA_DIR: newDataDir(),
    ...secret,
  };
  const restored = await spawnTool("restore", [file], { settings: newSettings });
  expect(restored, restored.stderr).toMatchObject({ code: 0, stdout: expect.stringContaining("1 pictures") });
  expect((await spawnTool("catalog-export", [], { settings: newSettings })).stdout === catalog.stdout).toBe(
    true,
  );
  const moved = await startSite(newSettings);
  // The old cookie works, because sessions are restored too.
  expect(await everythingOf(moved, cookie, picture)).toEqual(before);
  await signInAt(moved.origin, email);
  const refused = await spawnTool("restore", [file, "--replace"], { settings: newSettings });
  expect(refused).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/^The site runs on this database/),
  });
});

test("a backup with the settings of no site is refused, and creates no database", async () => {
  const settings = { DATABASE_URL: "", DATA_DIR: newDataDir() };
  expect(await spawnTool("backup", [], { settings })).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/^There is no database in .*DATA_DIR and DATABASE_URL\n$/),
  });
  expect(readdirSync(settings.DATA_DIR)).toEqual([]);
});

test("a restore gives up after five seconds while another program uses a table, and a read-only database ends every start", async () => {
  const settings = { DATABASE_URL: await newDatabase({ isEmpty: true }), DATA_DIR: newDataDir(), ...secret };
  const file = join(settings.DATA_DIR, "whole.gz");
  expect((await spawnTool("backup", [file], { settings })).code).toBe(0);
  const other = postgres(...driverArguments(settings.DATABASE_URL, { max: 1 }));
  await other.begin(async (transaction) => {
    await transaction`lock table users in access share mode`;
    expect(await spawnTool("restore", [file], { settings })).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/^Something else has used the same tables/),
    });
  });
  await other.unsafe(
    `alter database ${new URL(settings.DATABASE_URL).pathname.slice(1)} set default_transaction_read_only = on`,
  );
  await other.end();
  for (const words of [["restore", file, "--replace"], ["server"], ["user", "list"]]) {
    const ran = await spawnTool(words[0] ?? "", words.slice(1), {
      settings: { ...settings, NODE_ENV: "production", PORT: "0" },
    });
    expect(ran.code, words.join(" ")).toBe(1);
    expect(ran.stderr).toContain("The database is read-only");
    expect(ran.stderr).not.toMatch(/^ +at /m);
  }
});

import { createHash, randomBytes } from "node:crypto";
import { readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { createTables, migrations } from "#db/migrate.ts";
import { transportStream } from "#tests/support/data/film-bytes.ts";
import { goodPassword } from "#tests/support/data/good-password.ts";
import { firstMigrations, makeFirstDatabase, openDatabase } from "#tests/support/database/first-schema.ts";
import { newDatabase } from "#tests/support/database/new-database.ts";
import { cookieHeader, keepCookies } from "#tests/support/requests/cookies.ts";
import { spawnTool } from "#tests/support/site/command-line-tools.ts";
import { newDataDir, type Site, startSite } from "#tests/support/site/site-process.ts";

/** A site from before households existed is upgraded, gets a household, is backed up and moves to another database. */

const last = "0021_films";
const before = migrations.map(({ name }) => name).filter((name) => name <= last);
const later = migrations.map(({ name }) => name).filter((name) => name > last);
const title = 700_000_001;
const early = { id: "6f1cf0a4-6f0e-4a58-9a4e-0d6c0a1f9b11", email: "early@example.org" };
const pin = "2580";
const secret = { SESSION_SECRET: "kept over the upgrade ".repeat(3) };
const token = `engawa_${randomBytes(32).toString("base64url")}`;

const sha256 = (text: string) => createHash("sha256").update(text).digest("hex");

/** An operator with a list, histories and an access token, and a film of an episode. */
async function makeSiteOfBefore() {
  const { url, sql } = await makeFirstDatabase();
  const films = newDataDir();
  writeFileSync(join(films, "One.mp4"), transportStream(20));
  const rest = before.filter((name) => !firstMigrations.includes(name));
  await sql.begin((transaction) => createTables(transaction, rest));
  await sql`update users set role = 'operator' where id = ${early.id}`;
  await sql`insert into access_tokens (secret_hash, user_id, name, scope)
    values (${sha256(token)}, ${early.id}, 'bot', 'read')`;
  await sql`insert into episodes (mal_id, number, title) values (${title}, 1, 'One')`;
  const [film] = await sql`insert into films (path) values ('One.mp4') returning id`;
  await sql`insert into episode_sources (mal_id, episode, url, type, film_id)
    values (${title}, 1, 'media:One.mp4', 'mp4', ${film?.id})`;
  await sql.end();
  return { url, films };
}

/** A browser that keeps its cookies. */
class Browser {
  readonly cookies = new Map<string, string>();
  at: Site;

  constructor(at: Site) {
    this.at = at;
  }

  async ask(path: string, { json, form }: { json?: unknown; form?: Record<string, string> } = {}) {
    const body = json === undefined ? form && new URLSearchParams(form) : JSON.stringify(json);
    const response = await fetch(this.at.origin + path, {
      redirect: "manual",
      method: body === undefined ? "GET" : "POST",
      headers: {
        Origin: this.at.origin,
        Cookie: cookieHeader(this.cookies),
        ...(json !== undefined && { "Content-Type": "application/json" }),
      },
      ...(body !== undefined && { body }),
    });
    keepCookies(this.cookies, response.headers.getSetCookie());
    return response;
  }

  async data<Data>(path: string, json?: unknown): Promise<Data> {
    const answer = await this.ask(path, json === undefined ? {} : { json });
    const text = await answer.text();
    expect(answer.ok, `${path} ${text}`).toBe(true);
    return (JSON.parse(text) as { data: Data }).data;
  }

  signIn = () => this.data("/api/auth/signin", { email: early.email, password: goodPassword });
}

type Profile = { id: string; name: string; current: boolean; asks: string | null; ceiling: string | null };
const profilesOf = (browser: Browser) => browser.data<Profile[]>("/api/user/profiles");
const sourcesOf = async (browser: Browser) =>
  (await browser.data<{ sources: { url: string }[] }>(`/api/episodes/getEpisode?mal_id=${title}&ep=1`))
    .sources;
const listOf = (browser: Browser) =>
  browser.data<{ mal_id: number; progress: number }[]>("/api/user/watchList");

async function run(name: string, toolArguments: string[], settings: Record<string, string>) {
  const { code, stderr } = await spawnTool(name, toolArguments, { settings });
  expect(code, stderr).toBe(0);
}

/** Checks the rows that the upgrade must not change, and the settings that it chose because the site has accounts. */
async function expectUpgraded(site: Site) {
  const operator = new Browser(site);
  await operator.signIn();
  expect(await profilesOf(operator)).toMatchObject([
    { id: early.id, name: "Early", owner: true, asks: null },
  ]);
  expect(await listOf(operator)).toMatchObject([{ mal_id: title, progress: 5, score: 8.5 }]);
  expect((await operator.ask("/admin")).status).toBe(200);
  const bot = await fetch(`${site.origin}/api/user/watchList`, {
    headers: { Authorization: `Bearer ${token}` },
  });
  expect(bot.status).toBe(200);
  const [film] = await sourcesOf(operator);
  expect(film, "the film of before").toBeDefined();
  const played = await operator.ask(new URL(film?.url ?? "").pathname);
  expect([played.status, (await played.arrayBuffer()).byteLength > 0]).toEqual([200, true]);
  const visitor = new Browser(site);
  expect(await sourcesOf(visitor)).toEqual([]);
  const unsigned = new URL(film?.url ?? "").pathname.replace(/^\/signed\/[^/]+/, "");
  for (const path of [unsigned, "/media/One.mp4"]) expect((await visitor.ask(path)).status, path).toBe(401);
  // SIGNUPS is not set, so the sign-up rule stays as it was.
  const joined = { username: "Newcomer", email: "newcomer@example.org", password: goodPassword };
  expect((await visitor.ask("/api/auth/signup", { json: joined })).status).toBe(201);
  return operator;
}

/** Creates a household and returns the child's browser and an invitation. */
async function makeHousehold(owner: Browser) {
  const form = { name: "Mio", accent: "#16a34a", ceiling: "chosen", pin };
  expect((await owner.ask("/profiles/manage", { form })).status).toBe(302);
  const allowed = { id: String(title), verdict: "allowed" };
  expect((await owner.ask("/profiles/titles", { form: allowed })).status).toBe(302);
  const made = { intent: "make", note: "for Ren", uses: "1", days: "7" };
  const page = await (await owner.ask("/admin/invitations", { form: made })).text();
  const invitation = /\/signup#([\w-]{43})/.exec(page)?.[1] ?? "";
  const television = new Browser(owner.at);
  await television.signIn();
  const mio = (await profilesOf(television)).find(({ name }) => name === "Mio");
  await television.data("/api/user/profiles/switch", { profile: mio?.id });
  await television.data("/api/user/watchList", { animeId: title, type: "Watching", progress: 2 });
  return { television, invitation };
}

async function expectHousehold({ television, invitation }: Awaited<ReturnType<typeof makeHousehold>>) {
  // The session from before the move continues, at the child's profile.
  expect(await listOf(television)).toMatchObject([{ mal_id: title, progress: 2 }]);
  const profiles = await profilesOf(television);
  expect(profiles).toMatchObject([
    { name: "Early", asks: "pin", ceiling: null },
    { name: "Mio", current: true, ceiling: "chosen" },
  ]);
  const enter = (typed: string) =>
    television.ask("/api/user/profiles/switch", { json: { profile: early.id, pin: typed } });
  expect((await enter("1111")).status).toBe(400);
  expect((await enter(pin)).status).toBe(200);
  const guest = (email: string) => ({ username: "Guest", email, password: goodPassword, invitation });
  const join = (email: string) => new Browser(television.at).ask("/api/auth/signup", { json: guest(email) });
  expect((await join("ren@example.org")).status).toBe(201);
  expect((await join("another@example.org")).status).toBe(403);
  expect(await (await television.ask("/admin/invitations")).text()).toContain("ren@example.org");
}

/** Counts the rows of each table that contains data of the household. */
async function countRows(url: string) {
  const sql = openDatabase(url);
  const counts: Record<string, number> = {};
  for (const table of ["profile_pins", "household_titles", "watch_list", "access_tokens", "invitation_uses"])
    counts[table] = (await sql`select count(*)::int as count from ${sql(table)}`)[0]?.count;
  const emails = await sql`select email, account_id from users order by email`;
  await sql.end();
  return { counts, emails: emails.map(({ email }) => email) };
}

test("a site from before households is upgraded in place, its old backup is upgraded too, and its household moves with a new backup", async () => {
  const { url, films } = await makeSiteOfBefore();
  const unset = { FILMS: "", SIGNUPS: "", MEDIA_DIR: films, ...secret };
  const settings = { DATABASE_URL: url, DATA_DIR: newDataDir(), ...unset };
  const site = await startSite(settings);
  const migrated = site.logged.filter(({ message }) => message === "migrated the database");
  expect(migrated.map(({ migration }) => migration)).toEqual(later);
  const household = await makeHousehold(await expectUpgraded(site));
  const file = join(newDataDir(), "household.gz");
  await run("backup", [file], settings);
  await site.stop();

  // The upgrade wrote this backup in the format of the earlier version.
  const [ofBefore = ""] = readdirSync(join(settings.DATA_DIR, "backups"));
  const older = { DATABASE_URL: await newDatabase({ isEmpty: true }), DATA_DIR: newDataDir(), ...unset };
  await run("restore", [join(settings.DATA_DIR, "backups", ofBefore)], older);
  const restored = await startSite(older);
  await expectUpgraded(restored);
  await restored.stop();

  // The new site requires invitations. Otherwise, its acceptance of the child's browser and the invitation would prove
  // nothing.
  const elsewhere = {
    DATABASE_URL: await newDatabase({ isEmpty: true }),
    DATA_DIR: newDataDir(),
    ...unset,
    SIGNUPS: "invite",
  };
  await run("restore", [file], elsewhere);
  const moved = await startSite(elsewhere);
  household.television.at = moved;
  await expectHousehold(household);
  expect(await countRows(elsewhere.DATABASE_URL)).toMatchObject({
    counts: { profile_pins: 1, household_titles: 1, watch_list: 2, access_tokens: 1, invitation_uses: 1 },
  });
  const left = await fetch(`${moved.origin}/api/user/account`, {
    method: "DELETE",
    headers: {
      Origin: moved.origin,
      "Content-Type": "application/json",
      Cookie: cookieHeader(household.television.cookies),
    },
    body: JSON.stringify({ password: goodPassword }),
  });
  expect(left.status).toBe(200);
  expect(await countRows(elsewhere.DATABASE_URL)).toEqual({
    counts: { profile_pins: 0, household_titles: 0, watch_list: 0, access_tokens: 0, invitation_uses: 1 },
    emails: ["newcomer@example.org", "ren@example.org"],
  });
});

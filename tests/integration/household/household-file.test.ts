import { eq } from "drizzle-orm";
import { describe, expect, test } from "vitest";
import { createLocalTitle, replaceLocalTitle } from "#app/domain/local-titles/local-titles.server.ts";
import { db, withTransaction } from "#db/client.server.ts";
import { profilePins, users } from "#db/schema/accounts.ts";
import { titles } from "#db/schema/catalog.ts";
import { episodes } from "#db/schema/episodes.ts";
import { householdTitles, watchHistory, watchList } from "#db/schema/library.ts";
import { someTitle } from "#tests/support/data/database-rows.ts";
import { untilQueriesWait } from "#tests/support/database/lock-waits.ts";
import {
  addProfile,
  anotherBrowserOf,
  chooseTitle,
  newChild,
  ownersPin,
  switchTo,
} from "#tests/support/requests/household.ts";
import { dataOf, htmlOf } from "#tests/support/requests/response-data.ts";
import { type Member, newMember, Visitor } from "#tests/support/requests/visitor.ts";

/** An account's file brings its household to another account. */

type Plain = Record<string, unknown>;
type Report = {
  profiles: { name: string; child: boolean; added: boolean; imported: null | Plain }[];
  household_titles: number;
  skipped: { field: string; why: string }[];
};

const exported = async (member: Visitor) =>
  (await (await member.request("/api/user/export")).json()) as Plain & { children?: Plain[] };
const importAccount = (member: Visitor, json: unknown) =>
  dataOf<Report>(member.request("/api/user/import", { json }));
const file = (more: Plain) => ({ format: "engawa-account", version: 1, watch_list: [], ...more });

/** An account whose owner has a PIN. Hashing a PIN takes much processor time, so this hash matches none. */
async function newOwner(): Promise<Member> {
  const owner = await newMember();
  await db.insert(profilePins).values({ userId: owner.id, hash: "matches no PIN" });
  return owner;
}

const householdOf = (accountId: string) =>
  db.select().from(users).where(eq(users.accountId, accountId)).orderBy(users.createdAt, users.id);
const namesOf = async (accountId: string) =>
  (await householdOf(accountId)).map(({ name, ceiling }) => [name, ceiling]);

const operator = { kind: "command", ip: null } as const;
async function someLocalTitle(name = "Attic Films"): Promise<number> {
  const created = await createLocalTitle({ name, type: "TV", sameAs: [] }, operator);
  if (!created.ok) throw new Error(created.message);
  return created.value.malId;
}

const malId = await someTitle({ rating: "g", episodes: 3 });
const blocked = await someTitle({ rating: "g" });
await db.insert(episodes).values({ malId, number: 1, title: "One" });

/** A household of an owner, two children and a grown-up, in which the children have used the site. */
async function newHousehold() {
  const { owner, child } = await newChild("pg");
  await addProfile(owner, "Ren");
  const younger = await addProfile(owner, "Jo", "chosen");
  await chooseTitle(owner, malId, "allowed");
  await chooseTitle(owner, blocked, "blocked");
  const write = (path: string, json: unknown, method = "POST") =>
    child.request(path, { method, json }).then((answer) => expect(answer.status, path).toBe(200));
  await write("/api/user/watchList", { animeId: malId, type: "Watching", score: 8.5, notes: "✓" });
  await write("/api/user/progress", { mal_id: malId, ep: 1, position: 40, duration: 100 }, "PUT");
  await write("/api/user/progress", { mal_id: malId, ep: 2, position: 99, duration: 100 }, "PUT");
  await write("/api/user/trackChoice", { mal_id: malId, sound: "en", subtitles: "off" }, "PUT");
  await write("/api/saveUserPreferences", { titleLanguage: "japanese", timeZone: "Asia/Tokyo" });
  const picture = { avatarUrl: "https://x.example/mio.png", accentColor: "#aa00bb" };
  await db.update(users).set(picture).where(eq(users.id, child.id));
  return { owner, child, younger };
}

/** The common content of two exports, without the account's own name and the times. */
function comparable(account: Plain & { children?: Plain[] }): Plain {
  const {
    account: _own,
    exported_at: _at,
    security_events: _events,
    profile,
    profiles,
    children,
    ...rest
  } = account;
  return {
    ...rest,
    profile: { ...(profile as Plain), name: "" },
    profiles: (profiles as Plain[] | undefined)?.map(({ created_at: _created, ...one }) => one),
    children: children?.map((one) => ({ ...comparable(one), name: (one.profile as Plain).name })),
  };
}

/** An account file with every kind of data about the titles. */
function fileAbout(malIds: readonly number[], more: Plain = {}) {
  const at = "2026-01-01T00:00:00.000Z";
  const rows = (row: Plain) => malIds.map((mal_id) => ({ mal_id, ...row }));
  return file({
    profile: { favorite_animes: malIds, watched_animes: malIds },
    watch_progress: rows({ ep: 1, position: 40, duration: 100, at }),
    watch_history: rows({ ep: 1, watched_at: at }),
    track_choices: rows({ sound: "en", subtitles: "off", chosen_at: at }),
    dismissals: rows({ place: "continue", dismissed_at: at }),
    wishes: rows({ ep: null, wished_at: at, fulfilled_at: null }),
    household_titles: rows({ verdict: "blocked", chosen_at: at }),
    ...more,
  });
}

const sections = Object.keys(fileAbout([])).filter(
  (name) => !["format", "version", "profile"].includes(name),
);
const idsIn = (rows: unknown) => (rows as { mal_id: number }[]).map(({ mal_id }) => mal_id);

describe("local titles in a file", () => {
  test("keep all their data when it comes from this site", async () => {
    const [named, favorite, unused] = [
      await someLocalTitle("Kitchen Films"),
      await someLocalTitle(),
      await someLocalTitle(),
    ];
    const { owner, child } = await newChild("pg");
    await chooseTitle(owner, named, "allowed");
    await chooseTitle(owner, malId, "allowed");
    await db
      .update(users)
      .set({ favoriteAnimes: [favorite, malId] })
      .where(eq(users.id, owner.id));
    for (const { id } of [owner, child])
      await db.insert(watchList).values({ userId: id, malId: named, type: "Watching" });
    await db.insert(watchHistory).values({ userId: child.id, malId: favorite, episode: 1 });
    const before = await exported(owner);
    const local = [
      { mal_id: named, title: "Kitchen Films" },
      { mal_id: favorite, title: "Attic Films" },
    ];
    expect(before.local_titles).toEqual(local);
    expect(before.children?.[0]?.local_titles).toEqual(local);
    expect(JSON.stringify(before)).not.toContain(`${unused}`);
    const other = await newOwner();
    const report = await importAccount(other, before);
    expect(report).toMatchObject({ household_titles: 2, skipped: [] });
    expect(comparable(await exported(other))).toEqual(comparable(before));
  });

  test("keep only what is blocked when the title with the number has another name here", async () => {
    const [same, different] = [await someLocalTitle("Café Films"), await someLocalTitle("Horror Night")];
    const local_titles = [
      { mal_id: same, title: "CAFE films!" },
      { mal_id: different, title: "Bunny Stories" },
      { mal_id: malId, title: "Not its name" },
    ];
    const owner = await newOwner();
    await addProfile(owner, "Ren");
    const report = await importAccount(owner, fileAbout([same, different, malId], { local_titles }));
    expect(report.skipped).toEqual([{ field: "local_titles", why: expect.stringContaining("other names") }]);
    const after = await exported(owner);
    for (const name of sections.filter((section) => section !== "watch_list"))
      expect(idsIn(after[name]).sort(), name).toEqual(
        name === "household_titles" ? [malId, same, different] : [malId, same],
      );
    expect(after.profile).toMatchObject({ favorite_animes: [same, malId], watched_animes: [same, malId] });
  });

  test("are allowed to children only by a file that names them", async () => {
    const [named, different, unnamed] = [
      await someLocalTitle("Bunny Stories"),
      await someLocalTitle("Horror Night"),
      await someLocalTitle("Late Night"),
    ];
    const owner = await newOwner();
    const verdictOf = (verdict: string) => (mal_id: number) => ({
      mal_id,
      verdict,
      chosen_at: "2026-01-01T00:00:00Z",
    });
    const local_titles = [named, different].map((mal_id) => ({ mal_id, title: "Bunny Stories" }));
    const allow = file({
      household_titles: [named, different, unnamed, malId].map(verdictOf("allowed")),
      local_titles,
    });
    expect(await importAccount(owner, allow)).toMatchObject({
      household_titles: 2,
      skipped: [{ field: "local_titles" }, { field: "household_titles" }],
    });
    const block = file({ household_titles: [different, unnamed].map(verdictOf("blocked")), local_titles });
    expect((await importAccount(owner, block)).household_titles).toBe(2);
    const stored = db.select().from(householdTitles).where(eq(householdTitles.userId, owner.id));
    expect(await stored.orderBy(householdTitles.malId)).toMatchObject([
      { malId, verdict: "allowed" },
      { malId: named, verdict: "allowed" },
      { malId: different, verdict: "blocked" },
      { malId: unnamed, verdict: "blocked" },
    ]);
  });
});

describe("a household's file in a new account", () => {
  test("recreates its profiles, so that the new export is the same", async () => {
    const { owner } = await newHousehold();
    const before = await exported(owner);
    const other = await newOwner();
    const report = await importAccount(other, before);
    expect(report.skipped).toEqual([]);
    expect(report.household_titles).toBe(2);
    expect(report.profiles).toMatchObject([
      {
        name: "Mio",
        child: true,
        added: true,
        imported: { watch_list: { added: [{ mal_id: malId }] }, watch_progress: 2, track_choices: 1 },
      },
      { name: "Ren", child: false, added: true, imported: null },
      { name: "Jo", child: true, added: true, imported: { watch_progress: 0 } },
    ]);
    expect(before.children?.[0]).toMatchObject({
      profile: { name: "Mio", avatar_url: "https://x.example/mio.png" },
      preferences: { enfasiscolor: "#aa00bb", titleLanguage: "japanese", timeZone: "Asia/Tokyo" },
      watch_list: [{ mal_id: malId, score: 8.5 }],
    });
    expect(comparable(await exported(other))).toEqual(comparable(before));
    // A file contains no PIN.
    const pins = (await householdOf(other.id)).map(({ id }) =>
      db.$count(profilePins, eq(profilePins.userId, id)),
    );
    expect(await Promise.all(pins)).toEqual([0, 0, 0]);
  });

  test("can be imported while one of its local titles is replaced", async () => {
    const [owner, real] = [await newOwner(), await someTitle()];
    const [replaced, decided] = [await someLocalTitle(), await someLocalTitle()];
    await db.insert(watchList).values({ userId: owner.id, malId: replaced, type: "Watching" });
    const household_titles = [replaced, decided].map((mal_id) => ({
      mal_id,
      verdict: "allowed",
      chosen_at: "2026-01-01T00:00:00Z",
    }));
    const { running } = await withTransaction(async (transaction) => {
      // The import waits for this decision. A replacement that came first to the member would wait for the other title.
      await transaction
        .insert(householdTitles)
        .values({ userId: owner.id, malId: decided, verdict: "blocked" });
      await transaction.select().from(titles).where(eq(titles.malId, real)).for("share");
      const local_titles = [replaced, decided].map((mal_id) => ({ mal_id, title: "Attic Films" }));
      const importing = importAccount(owner, file({ household_titles, local_titles }));
      await untilQueriesWait();
      const replacing = replaceLocalTitle({ from: replaced, to: real }, operator);
      await untilQueriesWait(2);
      return { running: Promise.all([importing, replacing]) };
    });
    expect(await running).toMatchObject([{ household_titles: 1 }, { ok: true }]);
    const verdicts = db.select().from(householdTitles).where(eq(householdTitles.userId, owner.id));
    expect(await verdicts.orderBy(householdTitles.malId)).toMatchObject([
      { malId: real, verdict: "allowed" },
      { malId: decided, verdict: "blocked" },
    ]);
  });

  test("changes nothing when imported again", async () => {
    const { owner } = await newHousehold();
    const other = await newOwner();
    const account = await exported(owner);
    await importAccount(other, account);
    const once = comparable(await exported(other));
    const again = await importAccount(other, account);
    expect(again).toMatchObject({ household_titles: 0, skipped: [] });
    expect(again.profiles.map(({ name, added }) => [name, added])).toEqual([
      ["Mio", false],
      ["Ren", false],
      ["Jo", false],
    ]);
    expect(comparable(await exported(other))).toEqual(once);
  });

  test("creates children only where the owner has a PIN, and says so", async () => {
    const { owner } = await newHousehold();
    const other = await newMember();
    const account = await exported(owner);
    const why = expect.stringContaining("set a PIN for your own profile first");
    expect((await importAccount(other, account)).skipped).toEqual([
      { field: "profiles/Mio", why },
      { field: "profiles/Jo", why },
    ]);
    expect(await namesOf(other.id)).toEqual([["Ren", null]]);
    const pin = { intent: "save", pin: ownersPin };
    expect((await other.request("/profiles/pin", { form: pin })).status).toBe(302);
    expect((await importAccount(other, account)).skipped).toEqual([]);
    expect(await namesOf(other.id)).toEqual([
      ["Ren", null],
      ["Mio", "pg"],
      ["Jo", "chosen"],
    ]);
  });
});

describe("the import page, without scripts", () => {
  const upload = (member: Visitor, text: string) => {
    const body = new FormData();
    body.set("file", new File([text], "engawa-account.json", { type: "application/json" }));
    return member.request("/settings/import", { method: "POST", body });
  };

  test("accepts the file, reports imported and refused data, and is linked from the settings", async () => {
    const { owner } = await newHousehold();
    const text = JSON.stringify(await exported(owner));
    const other = await newMember();
    expect(await (await other.request("/settings")).text()).toContain('href="/settings/import"');
    const form = await (await other.request("/settings/import")).text();
    expect(form).toMatch(/<form[^>]*enctype="multipart\/form-data"/i);
    expect(form).toContain('href="/profiles/pin"');
    const first = await upload(other, text);
    expect(first.status).toBe(200);
    const html = await htmlOf(first);
    expect(html).toContain("<li>Ren, a new profile.</li>");
    expect(html).toContain("profiles/Mio: is a child; set a PIN for your own profile first");
    await db.insert(profilePins).values({ userId: other.id, hash: "matches no PIN" });
    const second = await htmlOf(upload(other, text));
    expect(second).toContain(
      "Mio, a new profile: 1 title on the list, 1 episode of the history, 2 places where you stopped.",
    );
    expect(second).toContain("Ren, a profile that was here.");
    expect(second).not.toContain("What was not imported");
    expect(await namesOf(other.id)).toEqual([
      ["Ren", null],
      ["Mio", "pg"],
      ["Jo", "chosen"],
    ]);
  });

  test("explains what is wrong with another file, and is closed to visitors and children", async () => {
    const other = await newMember();
    const refused = await upload(other, '{"format":"engawa-list","entries":[]}');
    expect(refused.status).toBe(400);
    expect(await refused.text()).toContain('role="alert"');
    const { child } = await newChild("g");
    expect((await child.request("/settings/import")).status).toBe(403);
    expect((await upload(child, JSON.stringify(file({})))).status).toBe(403);
    expect((await new Visitor().request("/settings/import")).headers.get("Location")).toMatch(/^\/signin/);
  });
});

describe("a file with excessive claims", () => {
  const child = (name: string, more: Plain = {}) => file({ profile: { name }, ...more });

  test("does not change the type of an existing profile", async () => {
    const { owner, child: mio } = await newChild("g");
    const ren = await addProfile(owner, "Ren");
    const report = await importAccount(
      owner,
      file({
        profiles: [
          { name: "Mio", ceiling: null },
          { name: "Ren", ceiling: "g" },
        ],
        children: [child("Ren")],
      }),
    );
    expect(report.profiles).toEqual([]);
    expect(report.skipped).toEqual([
      {
        field: "profiles/Mio",
        why: "is a child here and a grown-up in the file; a file does not change that",
      },
      {
        field: "profiles/Ren",
        why: "is a grown-up here and a child in the file; a file does not change that",
      },
    ]);
    const higher = file({ profiles: [{ name: "Mio", ceiling: "r" }], children: [child("Mio")] });
    expect((await importAccount(owner, higher)).profiles).toMatchObject([{ name: "Mio", added: false }]);
    const ceilings = (await householdOf(owner.id)).map(({ id, ceiling }) => [id, ceiling]);
    expect(ceilings).toEqual([
      [mio.id, "g"],
      [ren, null],
    ]);
  });

  test("adds at most eight profiles and lists the rest", async () => {
    const owner = await newOwner();
    const names = Array.from({ length: 9 }, (_, at) => `Kid ${at}`);
    const report = await importAccount(
      owner,
      file({
        profiles: names.map((name) => ({ name, ceiling: "g" })),
        children: names.map((name) => child(name)),
      }),
    );
    expect(report.profiles).toHaveLength(7);
    expect(report.skipped.map(({ field }) => field)).toEqual(["profiles/Kid 7", "profiles/Kid 8"]);
    expect(report.skipped[0]?.why).toContain("at most 8 profiles");
    expect(await householdOf(owner.id)).toHaveLength(7);
  });

  test("gives an undescribed child only the titles that the household allows", async () => {
    const owner = await newOwner();
    await importAccount(
      owner,
      file({
        profiles: [
          { name: "Mio", ceiling: "everything" },
          { name: "Yui", ceiling: "r" },
        ],
        children: [child("Mio"), child("Aki"), child("Nao"), { profile: 5, format: "x" }],
      }),
    );
    expect(await namesOf(owner.id)).toEqual([
      ["Mio", "chosen"],
      ["Aki", "chosen"],
      ["Nao", "chosen"],
    ]);
  });

  test("gives a child neither a birthday, a search, a last name, a household nor parental control that is off", async () => {
    const owner = await newOwner();
    const forged = child("Mio", {
      profile: { name: "Mio", last_name: "Sato", gender: "Female", birthday: "1990-01-01", role: "operator" },
      preferences: { parentalControl: false, trackSearchHistory: true, titleLanguage: "english" },
      search_history: [{ query: "porch", timestamp: "2026-01-01T00:00:00Z" }],
      household_titles: [{ mal_id: malId, verdict: "allowed", chosen_at: "2026-01-01T00:00:00Z" }],
      profiles: [{ name: "Inner", ceiling: null }],
      role: "operator",
      pin: "1234",
    });
    const report = await importAccount(
      owner,
      file({ profiles: [{ name: "Mio", ceiling: "pg" }], children: [forged] }),
    );
    expect(report.household_titles).toBe(0);
    expect(report.skipped).toEqual([
      { field: "children/Mio/parentalControl", why: expect.stringContaining("stays on") },
    ]);
    const rows = await householdOf(owner.id);
    expect(rows).toHaveLength(1);
    expect(rows[0]).toMatchObject({
      name: "Mio",
      ceiling: "pg",
      lastName: null,
      gender: null,
      birthday: null,
      parentalControl: true,
      trackSearchHistory: false,
      titleLanguage: "english",
      role: "user",
      email: null,
    });
    const account = await exported(owner);
    expect(account.children?.[0]).toMatchObject({ search_history: [] });
    expect(account.household_titles).toEqual([]);
  });

  test("adds no profile for invalid names, for text in place of profiles, or for thousands of profiles", async () => {
    const owner = await newOwner();
    const bad = ["", "x".repeat(65), "x".repeat(100_000), "a\u202eb", "\0", " "].map((name) => ({
      name,
      ceiling: null,
    }));
    const report = await importAccount(owner, file({ profiles: bad, children: "many" }));
    expect(report.profiles).toEqual([]);
    expect(report.skipped).toHaveLength(6);
    for (const { field } of report.skipped) expect(field.length).toBeLessThan(200);
    const thousands = await importAccount(
      owner,
      file({ profiles: Array(20_000).fill(bad[1]), children: [5] }),
    );
    expect(thousands.skipped.length).toBeLessThan(100);
    expect(await householdOf(owner.id)).toEqual([]);
  });

  test("adds no profile when it is from a profile other than the owner's, or from a child's", async () => {
    const { owner, child: mio } = await newChild("g");
    const ren = await anotherBrowserOf(owner);
    await switchTo(ren, await addProfile(owner, "Ren"));
    const more = file({
      profiles: [{ name: "New", ceiling: null }],
      household_titles: [{ mal_id: malId, verdict: "allowed", chosen_at: "2026-01-01T00:00:00Z" }],
    });
    expect(await importAccount(ren, more)).toMatchObject({
      profiles: [],
      household_titles: 0,
      skipped: [{ field: "profiles", why: "only the first profile of an account can add others" }],
    });
    expect((await mio.request("/api/user/import", { json: more })).status).toBe(403);
    expect(await householdOf(owner.id)).toHaveLength(2);
  });
});

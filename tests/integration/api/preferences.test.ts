import { eq } from "drizzle-orm";
import { expect, test } from "vitest";
import { visitorPreferencesOf } from "#app/domain/visitor/visitor.ts";
import { preferencesOnWire } from "#app/wire/preferences.server.ts";
import { db, withTransaction } from "#db/client.server.ts";
import { users } from "#db/schema/accounts.ts";
import { someTitle } from "#tests/support/data/database-rows.ts";
import { untilQueriesWait } from "#tests/support/database/lock-waits.ts";
import { dataOf, refusalOf } from "#tests/support/requests/response-data.ts";
import { newMember, Visitor } from "#tests/support/requests/visitor.ts";
import { request } from "#tests/support/site/in-process.ts";

/** The member whose requests are refused. One is enough, because no refused request changes anything. */
const refusedMember = await newMember();

const path = "/api/saveUserPreferences";
type Saved = { enfasiscolor: string; parentalControl: boolean; trackSearchHistory: boolean };
const save = (member: Visitor, json: unknown, at = path) => member.request(at, { json });
/** The preferences in the browser's cookie, under their JSON names. */
const cookiePreferences = (member: Visitor) => preferencesOnWire(visitorPreferencesOf(member.cookieHeader));

const defaults = {
  theme: "system",
  parentalControl: true,
  trackSearchHistory: true,
  forgetsWatched: false,
  skipsSegments: false,
  playsNext: true,
  listsWatched: true,
  timeZone: null,
  titleLanguage: "browser",
  scoreFormat: "whole",
  soundLanguage: "original",
  subtitleLanguages: [],
  plainSubtitles: false,
  updated_at: expect.stringMatching(/^\d{4}-.*\.\d{3}Z$/),
};

test.each([path, "/api/user/saveUserPreferences"])(
  "%s saves a preference and answers with all of them",
  async (at) => {
    const member = await newMember();
    expect(await dataOf(save(member, { enfasiscolor: "#FF5733", parentalControl: false }, at))).toEqual({
      user_id: member.id,
      enfasiscolor: "#FF5733",
      ...defaults,
      parentalControl: false,
    });
  },
);

test.each([
  [{ enfasiscolor: "#abcdef" }, { enfasiscolor: "#abcdef" }],
  [{ enfasisColor: "#ABCDEF" }, { enfasiscolor: "#ABCDEF" }],
  [{ enfasis: "#f0a" }, { enfasiscolor: "#ff00aa" }],
  [{ parentalControl: false }, { parentalControl: false }],
  [{ parental_control: false }, { parentalControl: false }],
  [{ trackSearchHistory: false }, { trackSearchHistory: false }],
  [{ titleLanguage: "English" }, { titleLanguage: "english" }],
  [{ theme: "Light" }, { theme: "light" }],
  [{ scoreFormat: "Stars" }, { scoreFormat: "stars" }],
  [{ soundLanguage: "en" }, { soundLanguage: "en" }],
  [{ subtitleLanguages: ["pt-BR", "en"] }, { subtitleLanguages: ["pt-BR", "en"] }],
  [{ plainSubtitles: true }, { plainSubtitles: true }],
  [{ playsNext: false }, { playsNext: false }],
  [{ skipsSegments: true }, { skipsSegments: true }],
  [{ forgetsWatched: true }, { forgetsWatched: true }],
  [{ timeZone: "Europe/Lisbon" }, { timeZone: "Europe/Lisbon" }],
])("%j is saved as %j", async (json, expected) => {
  expect(await dataOf(save(await newMember(), json))).toMatchObject(expected);
});

test.each([{}, { foo: 1 }, undefined])("%j names no preference and gets 400", async (json) => {
  const member = await newMember();
  const body = json === undefined ? { method: "POST" } : { json };
  expect(await refusalOf(member.request(path, body))).toEqual({
    error: "User preferences is required",
    status: 400,
  });
});

test.each([
  { enfasiscolor: "blue" },
  { enfasiscolor: "#12345" },
  { enfasiscolor: "#12345g" },
  { enfasiscolor: "#1234567" },
  { enfasiscolor: "#0057E7; background: url(//evil.example)" },
  { enfasiscolor: 255 },
  { enfasiscolor: "" },
  { parentalControl: "false" },
  { parentalControl: null },
  { parental_control: 0 },
  { trackSearchHistory: "yes" },
  { timeZone: "Mars/Olympus" },
  { timeZone: "" },
  { titleLanguage: "native" },
  { scoreFormat: "faces" },
  { soundLanguage: "any of them" },
  { subtitleLanguages: ["english"] },
  { subtitleLanguages: ["a1", "en", "de", "fr", "es", "it"] },
  [],
])("%j gets 400 and changes nothing", async (json) => {
  expect((await refusalOf(save(refusedMember, json))).status).toBe(400);
  expect(cookiePreferences(refusedMember)).toMatchObject({ enfasiscolor: "#0057E7", parentalControl: true });
});

test("fields of the profile are saved too, alone or with preferences, and the answer has those that were sent", async () => {
  const member = await newMember();
  const profileOf = () => dataOf<Record<string, unknown>>(member.request("/api/user/profile"));
  const before = await profileOf();
  const sent = { name: "Mio", favorite_genres: ["sci-fi"], frequency: "daily", favorite_animes: ["20", 1] };
  const stored = {
    name: "Mio",
    favorite_genres: ["Sci-Fi"],
    frequency_of_watch: "Daily",
    favorite_animes: [20, 1],
  };
  const answer = await dataOf(save(member, { ...sent, enfasiscolor: "#abcdef" }));
  expect(answer).toEqual({
    ...stored,
    frequency: "Daily",
    user_id: member.id,
    enfasiscolor: "#abcdef",
    ...defaults,
  });
  expect(await profileOf()).toMatchObject({
    ...stored,
    last_name: null,
    preferences: { enfasiscolor: "#abcdef" },
  });
  expect(before).toMatchObject({ favorite_genres: [], frequency_of_watch: null });
  await dataOf(save(member, { birthday: "2020-01-01", parentalControl: false }));
  expect(await profileOf()).toMatchObject({
    ...stored,
    birthday: "2020-01-01",
    preferences: { parentalControl: true },
  });
  await dataOf(save(member, { favorite_genres: null, frequency_of_watch: null }));
  expect(await profileOf()).toMatchObject({ favorite_genres: [], frequency_of_watch: null });
});

test.each([
  { name: "Mi" },
  { birthday: "2999-01-01" },
  { birthday: "2020-02-30" },
  { gender: "robot" },
  { favorite_animes: ["x"] },
  { favorite_genres: ["Nonsense"] },
  { avatar: "javascript:alert(1)" },
  { name: "Valid", timeZone: "Mars/Olympus" },
])(
  "%j gets 400 by the rules of the profile, and neither the profile nor a preference changes",
  async (json) => {
    const profileOf = () => dataOf(refusedMember.request("/api/user/profile"));
    const before = await profileOf();
    expect((await refusalOf(save(refusedMember, { ...json, enfasiscolor: "#abcdef" }))).status).toBe(400);
    expect(await profileOf()).toEqual(before);
  },
);

test("a save and a sign-in replace the preferences in the cookie with those of the account", async () => {
  const member = await newMember();
  await dataOf(save(member, { enfasis: "#abcdef", parentalControl: false, trackSearchHistory: false }));
  const stored = { enfasiscolor: "#abcdef", parentalControl: false, trackSearchHistory: false };
  expect(cookiePreferences(member)).toMatchObject(stored);
  const browser = new Visitor();
  browser.cookies.set("visitor", "enfasis=%23111111&tz=Europe%2FLisbon");
  await dataOf(
    browser.request("/api/auth/signin", { json: { email: member.email, password: member.password } }),
  );
  expect(cookiePreferences(browser)).toMatchObject({ ...stored, timeZone: "Europe/Lisbon" });
  const page = await (await browser.request("/")).text();
  expect(page).toContain("#abcdef");
  const forged = new Headers({ Cookie: `${browser.cookieHeader}; visitor=enfasis%3D%23999999` });
  expect(await (await browser.request("/", { headers: forged })).text()).toContain("#abcdef");
});

test("a sign-in by form replaces the preferences in the cookie with those of the account", async () => {
  const member = await newMember();
  await dataOf(save(member, { enfasis: "#00ff00" }));
  const browser = new Visitor();
  const form = { email: member.email, password: member.password };
  expect((await browser.request("/api/auth/signin", { form })).status).toBe(302);
  expect(cookiePreferences(browser)).toMatchObject({ enfasiscolor: "#00ff00" });
});

/** Whether the listing shows a mature title to this client, and the status of its details. */
async function shown(send: (path: string) => Promise<Response>, mature: number) {
  const listing = await (
    await send("/api/animes/full?parental_control=false&limit_count=100&genre_filter=Hentai")
  ).json();
  const { data } = listing as { data: { mal_id: number }[] };
  const detail = (await send(`/api/animes/getAnime?id=${mature}&parental_control=false`)).status;
  return [data.some(({ mal_id }) => mal_id === mature), detail];
}

test("a member's saved preference and age decide about mature titles, whatever the query and cookie say", async () => {
  const mature = await someTitle({ genres: ["Hentai"], rating: "rx" });
  expect(await shown(request, mature)).toEqual([true, 200]);
  const member = await newMember();
  const asMember = (at: string) => member.request(at);
  expect(await shown(asMember, mature)).toEqual([false, 403]);
  member.cookies.set("visitor", "parental_control=false");
  expect(await shown(asMember, mature)).toEqual([false, 403]);
  await dataOf(save(member, { parentalControl: false }));
  expect(await shown(asMember, mature)).toEqual([true, 200]);

  const birthday = `${new Date().getUTCFullYear() - 16}-01-01`;
  const person = { name: "Mio", last_name: "A", gender: "other" };
  await dataOf(member.request("/api/user/profile", { json: { ...person, birthday } }));
  expect(await shown(asMember, mature)).toEqual([false, 403]);
  const profile = await dataOf<{ preferences: Saved }>(member.request("/api/user/profile"));
  expect(profile.preferences.parentalControl).toBe(true);
  expect(await dataOf(save(member, { parentalControl: false }))).toMatchObject({ parentalControl: true });
  const [row] = await db.select().from(users).where(eq(users.id, member.id));
  expect(row!.parentalControl).toBe(true);
});

const account = { email: "newcomer@example.org", password: "Abc123!x" };
test.each([
  ["the endpoint", "/api/auth/signup", { json: { ...account, user_name: "Newcomer" } }, 201],
  ["the page", "/signup", { form: { ...account, email: "other@example.org", username: "Newcomer" } }, 302],
] as const)(
  "an account created by %s takes the visitor's preferences, but with parental control on",
  async (_, path, sent, status) => {
    const browser = new Visitor();
    browser.cookies.set(
      "visitor",
      "enfasis=%23abcdef&trackSearchHistory=false&tz=Europe%2FLisbon&parental_control=false",
    );
    expect((await browser.request(path, sent)).status).toBe(status);
    const expected = {
      enfasiscolor: "#abcdef",
      trackSearchHistory: false,
      timeZone: "Europe/Lisbon",
      parentalControl: true,
    };
    expect(cookiePreferences(browser)).toMatchObject(expected);
    const { preferences } = await dataOf<{ preferences: Saved }>(browser.request("/api/user/profile"));
    expect(preferences).toMatchObject(expected);
  },
);

test("the form for a visitor's preferences changes the account of a member, and only the cookie of a visitor", async () => {
  const member = await newMember();
  const form = { parentalControl: "false", enfasiscolor: "#ff8800", redirectTo: "/browse" };
  const answer = await member.request("/visitor", { form });
  expect([answer.status, answer.headers.get("Location")]).toEqual([303, "/browse"]);
  const expected = { parentalControl: false, enfasiscolor: "#ff8800", trackSearchHistory: true };
  const { preferences } = await dataOf<{ preferences: Saved }>(member.request("/api/user/profile"));
  expect(preferences).toMatchObject(expected);
  expect(cookiePreferences(member)).toMatchObject(expected);
  const visitor = new Visitor();
  await visitor.request("/visitor", { form: { trackSearchHistory: "false" } });
  expect(cookiePreferences(visitor)).toMatchObject({ trackSearchHistory: false, parentalControl: true });
});

const accountPreferences = async (member: Visitor) =>
  (await dataOf<{ preferences: object }>(member.request("/api/user/profile"))).preferences;

test("two changes at the same time both reach the account", async () => {
  const member = await newMember();
  const forms = [{ enfasiscolor: "#ff8800" }, { parentalControl: "false" }, { titleLanguage: "english" }];
  let changes: Promise<Response>[] = [];
  await withTransaction(async (transaction) => {
    await transaction.select().from(users).where(eq(users.id, member.id)).for("update");
    changes = forms.map((form) => member.request("/visitor", { form }));
    await untilQueriesWait(forms.length);
  });
  expect((await Promise.all(changes)).map(({ status }) => status)).toEqual(forms.map(() => 303));
  expect(await accountPreferences(member)).toMatchObject({
    enfasiscolor: "#ff8800",
    parentalControl: false,
    titleLanguage: "english",
  });
});

test("a change leaves the time zone of the browser out of the account, and the cookie keeps it", async () => {
  const member = await newMember();
  member.cookies.set("visitor", "tz=Europe%2FLisbon");
  await member.request("/visitor", { form: { titleLanguage: "english" } });
  await member.request("/visitor", { form: { browserTimeZone: "Europe/Athens" } });
  expect(await accountPreferences(member)).toMatchObject({ timeZone: null, titleLanguage: "english" });
  expect(cookiePreferences(member)).toMatchObject({ timeZone: "Europe/Lisbon", titleLanguage: "english" });
  await member.request("/visitor", { form: { timeZone: "Asia/Tokyo" } });
  await member.request("/visitor", { form: { browserTimeZone: "Europe/Athens" } });
  expect(await accountPreferences(member)).toMatchObject({ timeZone: "Asia/Tokyo" });
  expect(cookiePreferences(member)).toMatchObject({ timeZone: "Asia/Tokyo" });
});

test("the time zone of a visitor's browser does not replace the one that the visitor chose", async () => {
  const visitor = new Visitor();
  await visitor.request("/visitor", { form: { browserTimeZone: "Europe/Athens" } });
  expect(cookiePreferences(visitor)).toMatchObject({ timeZone: "Europe/Athens" });
  await visitor.request("/visitor", { form: { timeZone: "Asia/Tokyo" } });
  await visitor.request("/visitor", { form: { browserTimeZone: "Europe/Athens" } });
  expect(cookiePreferences(visitor)).toMatchObject({ timeZone: "Asia/Tokyo" });
});

test("an account without a time zone again shows that of the browser, not the one that it had", async () => {
  const member = await newMember();
  await dataOf(save(member, { timeZone: "Asia/Tokyo" }));
  expect(cookiePreferences(member)).toMatchObject({ timeZone: "Asia/Tokyo" });
  expect(await dataOf(save(member, { timeZone: null }))).toMatchObject({ timeZone: null });
  expect(cookiePreferences(member)).toMatchObject({ timeZone: null });
  await member.request("/visitor", { form: { browserTimeZone: "Europe/Athens" } });
  expect(await dataOf(save(member, { timeZone: null }))).toMatchObject({ timeZone: null });
  expect(cookiePreferences(member)).toMatchObject({ timeZone: "Europe/Athens" });
});

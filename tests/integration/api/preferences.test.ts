import { eq } from "drizzle-orm";
import { expect, test } from "vitest";
import { preferencesOnWire } from "#app/api/preferences.ts";
import { visitorPreferencesOf } from "#app/domain/visitor/visitor.ts";
import { db } from "#db/client.server.ts";
import { users } from "#db/schema/accounts.ts";
import { someTitle } from "#tests/support/data/database-rows.ts";
import { dataOf, refusalOf } from "#tests/support/requests/response-data.ts";
import { newMember, Visitor } from "#tests/support/requests/visitor.ts";
import { request } from "#tests/support/site/in-process.ts";

/** Whose requests are refused: one is enough, since none of them changes anything. */
const nobody = await newMember();

const path = "/api/saveUserPreferences";
type Saved = { enfasiscolor: string; parentalControl: boolean; trackSearchHistory: boolean };
const save = (member: Visitor, json: unknown, at = path) => member.request(at, { json });
/** What the browser keeps, under the names of the JSON. */
const visitorOf = (member: Visitor) => preferencesOnWire(visitorPreferencesOf(member.cookieHeader));

test.each([path, "/api/user/saveUserPreferences"])("%s saves and answers the whole record", async (at) => {
  const member = await newMember();
  expect(await dataOf(save(member, { enfasiscolor: "#FF5733", parentalControl: false }, at))).toEqual({
    user_id: member.id,
    enfasiscolor: "#FF5733",
    parentalControl: false,
    trackSearchHistory: true,
    timeZone: null,
    titleLanguage: "romaji",
    updated_at: expect.stringMatching(/^\d{4}-.*\.\d{3}Z$/),
  });
});

test.each([
  [{ enfasiscolor: "#abcdef" }, { enfasiscolor: "#abcdef" }],
  [{ enfasisColor: "#ABCDEF" }, { enfasiscolor: "#ABCDEF" }],
  [{ enfasis: "#f0a" }, { enfasiscolor: "#ff00aa" }],
  [{ parentalControl: false }, { parentalControl: false }],
  [{ parental_control: false }, { parentalControl: false }],
  [{ trackSearchHistory: false }, { trackSearchHistory: false }],
  [{ titleLanguage: "English" }, { titleLanguage: "english" }],
  [{ timeZone: "Europe/Lisbon" }, { timeZone: "Europe/Lisbon" }],
])("takes %j", async (json, expected) => {
  expect(await dataOf(save(await newMember(), json))).toMatchObject(expected);
});

test.each([{}, { foo: 1 }, undefined])("%j is no preference", async (json) => {
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
  [],
])("refuses %j", async (json) => {
  expect((await refusalOf(save(nobody, json))).status).toBe(400);
  expect(visitorOf(nobody)).toMatchObject({ enfasiscolor: "#0057E7", parentalControl: true });
});

test("stored values overwrite what the browser kept, at sign-in and when saved", async () => {
  const member = await newMember();
  await dataOf(save(member, { enfasis: "#abcdef", parentalControl: false, trackSearchHistory: false }));
  const stored = { enfasiscolor: "#abcdef", parentalControl: false, trackSearchHistory: false };
  expect(visitorOf(member)).toMatchObject(stored);
  const browser = new Visitor();
  browser.cookies.set("visitor", "enfasis=%23111111&tz=Europe%2FLisbon");
  await dataOf(
    browser.request("/api/auth/signin", { json: { email: member.email, password: member.password } }),
  );
  expect(visitorOf(browser)).toMatchObject({ ...stored, timeZone: "Europe/Lisbon" });
  const page = await (await browser.request("/")).text();
  expect(page).toContain("#abcdef");
  const forged = new Headers({ Cookie: `${browser.cookieHeader}; visitor=enfasis%3D%23999999` });
  expect(await (await browser.request("/", { headers: forged })).text()).toContain("#abcdef");
});

test("a form's sign-in overwrites them as well", async () => {
  const member = await newMember();
  await dataOf(save(member, { enfasis: "#00ff00" }));
  const browser = new Visitor();
  const form = { email: member.email, password: member.password };
  expect((await browser.request("/api/auth/signin", { form })).status).toBe(302);
  expect(visitorOf(browser)).toMatchObject({ enfasiscolor: "#00ff00" });
});

/** Of one mature title and one that is not, those that this caller is shown. */
async function shown(caller: (path: string) => Promise<Response>, mature: number) {
  const listing = await (
    await caller("/api/animes/full?parental_control=false&limit_count=100&genre_filter=Hentai")
  ).json();
  const { data } = listing as { data: { mal_id: number }[] };
  const detail = (await caller(`/api/animes/getAnime?id=${mature}&parental_control=false`)).status;
  return [data.some(({ mal_id }) => mal_id === mature), detail];
}

test("the stored preference and the age decide what is shown, whatever is asked", async () => {
  const mature = await someTitle({ genres: ["Hentai"], rating: "rx" });
  expect(await shown(request, mature)).toEqual([true, 200]);
  const member = await newMember();
  const asMember = (at: string) => member.request(at);
  expect(await shown(asMember, mature)).toEqual([false, 403]);
  member.cookies.set("visitor", "parental_control=false");
  expect(await shown(asMember, mature)).toEqual([false, 403]);
  await dataOf(save(member, { parentalControl: false }));
  expect(await shown(asMember, mature)).toEqual([true, 200]);

  const birthday = `${new Date().getUTCFullYear() - 17}-01-01`;
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
  "an account made by %s has the visitor's preferences, but parental control on",
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
    expect(visitorOf(browser)).toMatchObject(expected);
    const { preferences } = await dataOf<{ preferences: Saved }>(browser.request("/api/user/profile"));
    expect(preferences).toMatchObject(expected);
  },
);

test("the form that changes a visitor's settings changes those of the account that is signed in", async () => {
  const member = await newMember();
  const form = { parentalControl: "false", enfasiscolor: "#ff8800", redirectTo: "/browse" };
  const answer = await member.request("/visitor", { form });
  expect([answer.status, answer.headers.get("Location")]).toEqual([303, "/browse"]);
  const expected = { parentalControl: false, enfasiscolor: "#ff8800", trackSearchHistory: true };
  const { preferences } = await dataOf<{ preferences: Saved }>(member.request("/api/user/profile"));
  expect(preferences).toMatchObject(expected);
  expect(visitorOf(member)).toMatchObject(expected);
  const visitor = new Visitor();
  await visitor.request("/visitor", { form: { trackSearchHistory: "false" } });
  expect(visitorOf(visitor)).toMatchObject({ trackSearchHistory: false, parentalControl: true });
});

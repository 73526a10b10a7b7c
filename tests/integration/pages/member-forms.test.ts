import { describe, expect, test } from "vitest";
import { someTitle } from "#tests/support/data/database-rows.ts";
import { goodPassword } from "#tests/support/data/good-password.ts";
import { postForm } from "#tests/support/requests/response-data.ts";
import { type Member, newMember, Visitor } from "#tests/support/requests/visitor.ts";

/** The forms of a member's own pages, posted as a browser without scripts posts them. */

async function dataOf<Data>(member: Member, path: string) {
  return ((await (await member.request(path)).json()) as { data: Data }).data;
}

describe("/history", () => {
  async function withHistory() {
    const member = await newMember();
    const malId = await someTitle({ episodes: 9 });
    const watched = { 1: "2024-03-01T10:00:00Z", 2: "2024-03-01T11:00:00Z", 3: "2024-03-02T10:00:00Z" };
    for (const [ep, at] of Object.entries(watched))
      await member.request("/api/user/progress", {
        method: "PUT",
        json: { mal_id: malId, ep: Number(ep), position: 95, duration: 100, at },
      });
    for (const query of ["one", "two", "three"])
      await member.request("/api/user/searchHistory", { json: { query } });
    return { member, malId };
  }
  const seen = async (member: Member) =>
    (await dataOf<{ ep: number }[]>(member, "/api/user/watchHistory")).map(({ ep }) => ep).sort();
  const searches = (member: Member) =>
    dataOf<{ id: string; query: string }[]>(member, "/api/user/searchHistory");

  test("the forms delete an episode, a day and the whole watch history", async () => {
    const { member, malId } = await withHistory();
    await postForm(member, "/history", { intent: "episode", mal_id: `${malId}`, ep: "2" });
    expect(await seen(member)).toEqual([1, 3]);
    await postForm(member, "/history", { intent: "day", date: "2024-03-02" });
    expect(await seen(member)).toEqual([1]);
    await postForm(member, "/history", { intent: "everything" }, 302);
    expect(await seen(member)).toEqual([]);
  });

  test("the forms delete one search or all, and no search is recorded while recording is paused", async () => {
    const { member } = await withHistory();
    const [latest] = await searches(member);
    await postForm(member, "/history", { intent: "search", ids: latest!.id });
    expect((await searches(member)).map(({ query }) => query)).toEqual(["two", "one"]);
    await postForm(member, "/history", { intent: "searches" });
    expect(await searches(member)).toEqual([]);
    await postForm(member, "/history", { intent: "track", on: "0" });
    await member.request("/search?q=paused");
    expect(await searches(member)).toEqual([]);
    await postForm(member, "/history", { intent: "track", on: "1" });
    await member.request("/search?q=kept");
    expect((await searches(member)).map(({ query }) => query)).toEqual(["kept"]);
  });
});

describe("/settings", () => {
  const settings = async (member: Member, path = "/settings") => (await member.request(path)).text();
  const hasSession = async (visitor: InstanceType<typeof Visitor>) =>
    (await visitor.request("/api/auth/sessions")).status === 200;
  async function signInElsewhere({ email }: Member) {
    const device = new Visitor();
    await device.request("/api/auth/signin", { json: { email, password: goodPassword } });
    expect(await hasSession(device)).toBe(true);
    return device;
  }

  test("a saved preference leaves the others as they are", async () => {
    const member = await newMember();
    const saved = { titleLanguage: "japanese", timeZone: "Europe/Athens" };
    await postForm(member, "/settings/preferences", { enfasiscolor: "#123456" }, 302);
    await postForm(member, "/settings/preferences", { parentalControl: "0", trackSearchHistory: "0" }, 302);
    await postForm(member, "/settings/preferences", saved, 302);
    const unknownZone = await postForm(
      member,
      "/settings/preferences",
      { ...saved, timeZone: "Mars/Olympus" },
      400,
    );
    expect(unknownZone).toContain("This time zone is not known.");
    const refused = await postForm(member, "/settings/preferences", { enfasiscolor: "blue" }, 400);
    expect(refused).toContain("Write the color as #");
    const { preferences } = await dataOf<{ preferences: object }>(member, "/api/user/profile");
    expect(preferences).toMatchObject({
      enfasiscolor: "#123456",
      parentalControl: false,
      trackSearchHistory: false,
      ...saved,
    });
  });

  test.each([
    ["appearance", { enfasiscolor: "#123456" }, { enfasiscolor: "blue" }],
    ["content", { trackSearchHistory: "0" }, { trackSearchHistory: "maybe" }],
    ["privacy", { forgetsWatched: "1" }, { forgetsWatched: "maybe" }],
    ["viewing", { titleLanguage: "english" }, { titleLanguage: "elvish" }],
  ])("the section %s says beside its own button that it is saved or refused", async (part, good, bad) => {
    const member = await newMember();
    const path = `/settings/preferences?part=${part}`;
    const answers = (html: string) =>
      html.split('class="settings-section"').filter((section) => section.includes('class="form-notice"'));
    const saved = await member.request(path, { form: good });
    const target = saved.headers.get("Location") ?? "";
    expect(target).toBe(`/settings?notice=${part}-saved#${part}`);
    const shown = answers(await (await member.request(target.split("#")[0] ?? "")).text());
    expect(shown).toHaveLength(1);
    expect(shown[0]).toContain(`id="${part}"`);
    const refused = answers(await postForm(member, path, bad, 400));
    expect(refused).toHaveLength(1);
    expect(refused[0]).toContain(`id="${part}"`);
  });

  test("the time zone follows the browser until the member chooses one, and again when they say so", async () => {
    const member = await newMember();
    member.cookies.set("visitor", "tz=Europe%2FLisbon");
    const zones = async () =>
      /<select[^>]*name="timeZone".*?<\/select>/s.exec(await settings(member))?.[0] ?? "";
    const zoneOf = async () =>
      (await dataOf<{ preferences: { timeZone: string | null } }>(member, "/api/user/profile")).preferences
        .timeZone;
    expect(await zones()).toMatch(/<option[^>]*value="" selected="">As this browser: Lisbon</);
    await postForm(member, "/settings/preferences", { titleLanguage: "english", timeZone: "" }, 302);
    expect([await zoneOf(), member.cookies.get("visitor")]).toEqual([
      null,
      expect.stringContaining("Lisbon"),
    ]);
    await postForm(member, "/settings/preferences", { timeZone: "Asia/Tokyo" }, 302);
    expect(await zones()).toMatch(/<option[^>]*value="Asia\/Tokyo" selected="">Tokyo</);
    await postForm(member, "/settings/preferences", { timeZone: "" }, 302);
    expect([await zoneOf(), member.cookies.get("visitor")]).toEqual([
      null,
      expect.not.stringContaining("Tokyo"),
    ]);
    expect(await zones()).toMatch(/<option[^>]*value="" selected="">As this browser</);
  });

  test("a new token is shown in one answer and works until it is revoked", async () => {
    const member = await newMember();
    const refused = async (name: string, scope: string) =>
      /role="alert".*?<p>(.*?)<\/p>/.exec(
        await postForm(member, "/settings/tokens", { name, scope }, 400),
      )?.[1];
    expect(await refused(" ", "read")).toBe("name must not be empty");
    expect(await refused("Script", "everything")).toBe("The form is not complete");
    const made = await postForm(member, "/settings/tokens", { name: "Script", scope: "read" });
    const token = /engawa_[\w-]{43}/.exec(made)?.[0] ?? "";
    const ask = () =>
      new Visitor().request("/api/user/watchList", { headers: { Authorization: `Bearer ${token}` } });
    expect((await ask()).status).toBe(200);
    expect(await settings(member)).not.toContain(token);
    const [kept] = await dataOf<{ id: string }[]>(member, "/api/auth/tokens");
    const other = await newMember();
    await postForm(other, "/settings/tokens", { id: kept!.id }, 302);
    expect((await ask()).status).toBe(200);
    await postForm(member, "/settings/tokens", { id: kept!.id }, 302);
    expect((await ask()).status).toBe(401);
  });

  test("a member signs out one device of their own, or all others", async () => {
    const member = await newMember();
    const [phone, tablet] = [await signInElsewhere(member), await signInElsewhere(member)];
    const sessions = await dataOf<{ id: string; current: boolean }[]>(member, "/api/auth/sessions");
    const ofPhone = (await dataOf<typeof sessions>(phone as Member, "/api/auth/sessions")).find(
      ({ current }) => current,
    );
    await postForm(await newMember(), "/settings/sessions", { id: ofPhone!.id }, 302);
    expect(await hasSession(phone)).toBe(true);
    await postForm(member, "/settings/sessions", { id: ofPhone!.id }, 302);
    expect([await hasSession(phone), await hasSession(tablet)]).toEqual([false, true]);
    await postForm(member, "/settings/sessions", { others: "true" }, 302);
    expect([await hasSession(tablet), await hasSession(member)]).toEqual([false, true]);
  });

  test("a password is changed with the current one, and a wrong one is named beside its form", async () => {
    const member = await newMember();
    const wrong = { current: "Wrong1!x", password: "Newpas1!" };
    const refused = await postForm(member, "/settings/password", wrong, 400);
    const section = refused.slice(refused.indexOf('id="password"'), refused.indexOf('id="sessions"'));
    expect(section).toContain("The current password is wrong");
    expect(refused).not.toContain("Newpas1!");
    const answer = await member.request("/settings/password", { form: { ...wrong, current: goodPassword } });
    const target = "/settings?notice=password-changed";
    expect([answer.status, answer.headers.get("Location")]).toEqual([302, `${target}#password`]);
    expect(await settings(member, target)).toContain("Your password is changed.");
    const again = { email: member.email, password: "Newpas1!" };
    expect((await new Visitor().request("/api/auth/signin", { json: again })).status).toBe(200);
  });

  test("an account is deleted with its password, and a wrong one is named beside its form", async () => {
    const member = await newMember();
    const refused = await postForm(member, "/settings/account", { password: "Wrong1!x" }, 400);
    expect(refused.slice(refused.indexOf('id="account"'))).toMatch(
      /<details[^>]* open="".*password is wrong/s,
    );
    expect(await hasSession(member)).toBe(true);
    await postForm(member, "/settings/account", { password: goodPassword }, 302);
    expect(member.cookies.has("engawa-session")).toBe(false);
    const again = await new Visitor().request("/api/auth/signin", {
      json: { email: member.email, password: goodPassword },
    });
    expect(again.status).toBe(401);
  });

  test("each form charges the limiter of the endpoint that does the same, and no other", async () => {
    const member = await newMember();
    const left = async (path: string, init: Parameters<Member["request"]>[1]) =>
      (await member.request(path, init)).headers.get("X-RateLimit-Remaining");
    const wrong = { password: "Wrong1!x" };
    expect(await left("/api/user/account", { method: "DELETE", json: wrong })).toBe("99");
    expect(await left("/settings/account", { form: wrong })).toBe("98");
    expect(await left("/settings/account", {})).toBeNull();
    expect(await left("/api/auth/password", { json: { current: "Wrong1!x", ...wrong } })).toBe("99");
    expect(await left("/settings/password", { form: { current: "Wrong1!x", ...wrong } })).toBe("98");
    expect(await left("/settings/preferences", { form: { titleLanguage: "english" } })).toBe("599");
    expect(await left("/api/saveUserPreferences", { json: { trackSearchHistory: true } })).toBe("598");
    expect(await left("/settings/preferences", {})).toBeNull();
  });

  test.each(["preferences", "email", "password", "sessions", "tokens", "account"])(
    "/settings/%s shows the page on a visit and sends a visitor to sign in",
    async (noun) => {
      const member = await newMember();
      const page = await member.request(`/settings/${noun}`);
      expect([page.status, await page.text()]).toEqual([200, expect.stringContaining("<h1>Settings</h1>")]);
      for (const form of [undefined, { others: "true", password: goodPassword }]) {
        const answer = await new Visitor().request(`/settings/${noun}`, form && { form });
        expect(answer.status).toBe(302);
        expect(answer.headers.get("Location")).toBe(`/signin?redirectTo=%2Fsettings%2F${noun}`);
      }
    },
  );
});

import { describe, expect, test } from "vitest";
import { someTitle } from "#tests/support/people.ts";
import { goodPassword, newMember, Visitor } from "#tests/support/visitor.ts";

/** The forms of a member's own pages, posted as a browser without scripts does: each does what its button says. */

type Member = Awaited<ReturnType<typeof newMember>>;

async function post(member: Member, path: string, form: Record<string, string>, status = 200) {
  const response = await member.request(path, { form });
  const html = await response.text();
  expect(response.status, html.slice(0, 300)).toBe(status);
  return html;
}
async function dataOf<Data>(member: Member, path: string) {
  return ((await (await member.request(path)).json()) as { data: Data }).data;
}

describe("/list", () => {
  type Entry = { mal_id: number; type: string; progress: number };
  const listOf = async (member: Member) =>
    Object.fromEntries(
      (await dataOf<Entry[]>(member, "/api/user/watchList")).map(({ mal_id, type, progress }) => [
        mal_id,
        `${type} ${progress}`,
      ]),
    );
  async function withThree() {
    const member = await newMember();
    const ids = [await someTitle(), await someTitle(), await someTitle()] as const;
    for (const animeId of ids)
      await member.request("/api/user/watchList", { json: { animeId, type: "watching", progress: 1 } });
    return { member, ids };
  }
  const undoIn = (html: string) =>
    (/name="entries" value="([^"]*)"/.exec(html)?.[1] ?? "").replaceAll("&quot;", '"');

  test("what is ticked is moved or removed, and taken back, and the rest is left alone", async () => {
    const { member, ids } = await withThree();
    const [one, two, three] = ids;
    const ticked = { [`title-${one}`]: "on", [`title-${two}`]: "on" };
    const before = await listOf(member);
    const moved = await post(member, "/list", { ...ticked, intent: "bulk-move", type: "Completed" });
    expect(moved).toContain("Moved 2 titles to Completed");
    expect(await listOf(member)).toEqual({ ...before, [one]: "Completed 1", [two]: "Completed 1" });
    await post(member, "/list", { intent: "restore", entries: undoIn(moved) });
    expect(await listOf(member)).toEqual(before);
    const removed = await post(member, "/list", { ...ticked, intent: "bulk-remove" });
    expect(removed).toContain("Removed 2 titles");
    expect(await listOf(member)).toEqual({ [three]: "Watching 1" });
    await post(member, "/list", { intent: "restore", entries: undoIn(removed) });
    expect(await listOf(member)).toEqual(before);
    expect(await post(member, "/list", { intent: "bulk-remove" })).toContain("Nothing was chosen");
  });

  test("a row is saved, counted up and down, and removed", async () => {
    const { member, ids } = await withThree();
    const [malId] = ids;
    const save = (form: Record<string, string>) =>
      post(member, "/list", { intent: "save", mal_id: `${malId}`, ...form });
    await save({ type: "Collection", progress: "4", step: "1", score: "" });
    expect((await listOf(member))[malId]).toBe("Collection 5");
    await save({ progress: "0", step: "-1" });
    expect((await listOf(member))[malId]).toBe("Collection 0");
    await post(member, "/list", { intent: "remove", mal_id: `${malId}` });
    expect(Object.keys(await listOf(member))).toHaveLength(2);
  });
});

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

  test("forgets an episode, a day, and everything", async () => {
    const { member, malId } = await withHistory();
    await post(member, "/history", { intent: "episode", mal_id: `${malId}`, ep: "2" });
    expect(await seen(member)).toEqual([1, 3]);
    await post(member, "/history", { intent: "day", date: "2024-03-02" });
    expect(await seen(member)).toEqual([1]);
    await post(member, "/history", { intent: "everything" });
    expect(await seen(member)).toEqual([]);
  });

  test("forgets one search, all of them, and keeps none while it is paused", async () => {
    const { member } = await withHistory();
    const [latest] = await searches(member);
    await post(member, "/history", { intent: "search", ids: latest!.id });
    expect((await searches(member)).map(({ query }) => query)).toEqual(["two", "one"]);
    await post(member, "/history", { intent: "searches" });
    expect(await searches(member)).toEqual([]);
    await post(member, "/history", { intent: "track", on: "0" });
    await member.request("/search?q=paused");
    expect(await searches(member)).toEqual([]);
    await post(member, "/history", { intent: "track", on: "1" });
    await member.request("/search?q=kept");
    expect((await searches(member)).map(({ query }) => query)).toEqual(["kept"]);
  });
});

describe("/settings", () => {
  const settings = async (member: Member) => (await member.request("/settings")).text();
  const hasSession = async (visitor: InstanceType<typeof Visitor>) =>
    (await visitor.request("/api/auth/sessions")).status === 200;
  async function elsewhere({ email }: Member) {
    const device = new Visitor();
    await device.request("/api/auth/signin", { json: { email, password: goodPassword } });
    expect(await hasSession(device)).toBe(true);
    return device;
  }

  test("keeps what is chosen, and refuses a place that there is not", async () => {
    const member = await newMember();
    await post(member, "/settings", { intent: "appearance", enfasiscolor: "#123456" }, 302);
    const content = { parentalControl: "0", trackSearchHistory: "0" };
    await post(member, "/settings", { intent: "content", ...content }, 302);
    const viewing = { titleLanguage: "japanese", timeZone: "Europe/Athens" };
    await post(member, "/settings", { intent: "viewing", ...viewing }, 302);
    await post(member, "/settings", { intent: "viewing", ...viewing, timeZone: "Mars/Olympus" }, 400);
    const { preferences } = await dataOf<{ preferences: object }>(member, "/api/user/profile");
    expect(preferences).toMatchObject({
      enfasiscolor: "#123456",
      parentalControl: false,
      trackSearchHistory: false,
      ...viewing,
    });
  });

  test("shows a token once, and revokes it", async () => {
    const member = await newMember();
    const made = await post(member, "/settings", { intent: "create-token", name: "Script", scope: "read" });
    const token = /engawa_[\w-]{43}/.exec(made)?.[0] ?? "";
    const ask = () =>
      new Visitor().request("/api/user/watchList", { headers: { Authorization: `Bearer ${token}` } });
    expect((await ask()).status).toBe(200);
    expect(await settings(member)).not.toContain(token);
    const [kept] = await dataOf<{ id: string }[]>(member, "/api/auth/tokens");
    const other = await newMember();
    await post(other, "/settings", { intent: "revoke-token", id: kept!.id });
    expect((await ask()).status).toBe(200);
    await post(member, "/settings", { intent: "revoke-token", id: kept!.id });
    expect((await ask()).status).toBe(401);
  });

  test("signs out one device, or all others", async () => {
    const member = await newMember();
    const [phone, tablet] = [await elsewhere(member), await elsewhere(member)];
    const sessions = await dataOf<{ id: string; current: boolean }[]>(member, "/api/auth/sessions");
    const ofPhone = (await dataOf<typeof sessions>(phone as Member, "/api/auth/sessions")).find(
      ({ current }) => current,
    );
    await post(await newMember(), "/settings", { intent: "end-session", id: ofPhone!.id });
    expect(await hasSession(phone)).toBe(true);
    await post(member, "/settings", { intent: "end-session", id: ofPhone!.id });
    expect([await hasSession(phone), await hasSession(tablet)]).toEqual([false, true]);
    await post(member, "/settings", { intent: "end-others" });
    expect([await hasSession(tablet), await hasSession(member)]).toEqual([false, true]);
  });

  test("deletes the account for who knows its password", async () => {
    const member = await newMember();
    await post(member, "/settings", { intent: "delete-account", password: "Wrong1!x" }, 400);
    expect(await hasSession(member)).toBe(true);
    await post(member, "/settings", { intent: "delete-account", password: goodPassword }, 302);
    expect(member.cookies.has("engawa-session")).toBe(false);
    const again = await new Visitor().request("/api/auth/signin", {
      json: { email: member.email, password: goodPassword },
    });
    expect(again.status).toBe(401);
  });
});

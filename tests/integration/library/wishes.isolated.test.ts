import { eq, sql } from "drizzle-orm";
import { beforeEach, describe, expect, test } from "vitest";
import type { Member } from "#tests/support/requests/visitor.ts";
import { temporaryFolder } from "#tests/support/setup/temporary-folder.ts";

/** Members wish for films of titles and episodes without any, and operators see how many members do. */

process.env.MEDIA_DIR = temporaryFolder("wishes");
const { newMember, newOperator, Visitor } = await import("#tests/support/requests/visitor.ts");
const { addProfile, newChild } = await import("#tests/support/requests/household.ts");
const { someTitle: anyTitle } = await import("#tests/support/data/database-rows.ts");
const { dataOf, htmlOf } = await import("#tests/support/requests/response-data.ts");
const { whenFree } = await import("#tests/support/requests/when-free.ts");
const { createSource, deleteSource } = await import("#app/domain/playback/playback.server.ts");
const { deleteOldWishes, endWishes } = await import("#app/domain/library/library.server.ts");
const { createLocalTitle, replaceLocalTitle } = await import(
  "#app/domain/local-titles/local-titles.server.ts"
);
const { db } = await import("#db/client.server.ts");
const { titles } = await import("#db/schema/catalog.ts");
const { episodeWishes, wishes } = await import("#db/schema/library.ts");

/** The title has aired, unless the fields say otherwise. */
const someTitle = (fields: Parameters<typeof anyTitle>[0] = {}) =>
  anyTitle({ status: "Finished Airing", ...fields });

const pageOf = (malId: number) => `/anime/${malId}/title-${malId}`;
const change = (visitor: InstanceType<typeof Visitor>, intent: "wish" | "take-back", malId: number) =>
  visitor.request("/wishes", { form: { intent, id: `${malId}`, redirectTo: pageOf(malId) } });
const wishesOf = async (userId: string) =>
  (await db.select().from(wishes).where(eq(wishes.userId, userId))).map(({ malId }) => malId).sort();

const changeEpisode = (
  visitor: InstanceType<typeof Visitor>,
  intent: "wish" | "take-back",
  { malId, episode }: { malId: number; episode: number },
) => visitor.request("/wishes", { form: { intent, id: `${malId}`, episode: `${episode}` } });
const episodesOf = async (userId: string) =>
  (await db.select().from(episodeWishes).where(eq(episodeWishes.userId, userId)))
    .map(({ episode }) => episode)
    .sort();

async function addFilm(malId: number, episode = 1): Promise<string> {
  const created = await createSource({
    malId,
    episode,
    url: `https://films.example/${malId}-${episode}.mp4`,
  });
  if (!created.ok) throw new Error(created.reason);
  return created.value.id;
}

let member: Member;
let operator: Member;
beforeEach(async () => {
  [member, operator] = [await newMember(), await newOperator()];
  await db.delete(wishes);
  await db.delete(episodeWishes);
});

test("the page of a title without a film accepts a wish and takes it back, without scripts", async () => {
  const malId = await someTitle({ episodes: 12 });
  expect(await htmlOf(member.request(pageOf(malId)))).toContain("Wish for this title");
  const made = await change(member, "wish", malId);
  expect([made.status, made.headers.get("Location")]).toEqual([302, pageOf(malId)]);
  const wished = await htmlOf(member.request(pageOf(malId)));
  expect(wished).toContain("You wished for this title");
  expect(wished).toContain("Take the wish back");
  expect(wished).not.toContain("Wish for this title");
  expect(await htmlOf(member.request("/wishes"))).toContain(`Title ${malId}`);
  await change(member, "wish", malId);
  expect(await wishesOf(member.id)).toEqual([malId]);
  await change(member, "take-back", malId);
  expect(await wishesOf(member.id)).toEqual([]);
  expect(await htmlOf(member.request(pageOf(malId)))).toContain("Wish for this title");
});

test("a wish with the number of a replaced local title is about the title that replaced it", async () => {
  const actor = { kind: "command", ip: null } as const;
  const real = await someTitle({ episodes: 12 });
  const made = await createLocalTitle({ name: "Attic Films", type: "TV", sameAs: [] }, actor);
  if (!made.ok) throw new Error(made.message);
  const { malId } = made.value;
  await replaceLocalTitle({ from: malId, to: real }, actor);
  await change(member, "wish", malId);
  expect(await wishesOf(member.id)).toEqual([real]);
  await change(member, "take-back", malId);
  expect(await wishesOf(member.id)).toEqual([]);
});

test("the page of an episode without a film accepts a wish, shows its details, and links to its neighbors", async () => {
  const malId = await someTitle({ episodes: 12, synopsis: "A lantern goes out." });
  const path = `/watch/${malId}/3`;
  const shown = await htmlOf(member.request(path));
  expect(shown).toContain("Episode 3 is not here yet");
  expect(shown).toContain("A lantern goes out.");
  expect(shown).toMatch(new RegExp(`<a [^>]*aria-current="page"[^>]*href="${path}"`));
  expect(shown).toContain(`href="/watch/${malId}/12"`);
  await member.request("/wishes", { form: { intent: "wish", id: `${malId}`, redirectTo: path } });
  expect(await htmlOf(member.request(path))).toContain("You wished for this title");
  expect(await htmlOf(new Visitor().request(path))).not.toContain("Wish for this title");

  // Beside another playable episode, the wish is for this episode, and the page links to that film.
  await addFilm(malId);
  const beside = await htmlOf(member.request(path));
  expect(beside).toMatch(new RegExp(`href="/watch/${malId}/1"[^>]*><svg`));
  expect(beside).not.toContain("Wish for this title");
  expect(beside).toContain("Wish for episode 3");
  expect(await htmlOf(new Visitor().request(path))).not.toContain("Wish for");
});

test("a member who has seen what is here wishes for the next episode, and the wish ends with its film", async () => {
  const malId = await someTitle({ episodes: 12, title: "Zqxnext Lantern", titleJapanese: "次の提灯" });
  const page = `/anime/${malId}/zqxnext-lantern`;
  for (const episode of [1, 2]) await addFilm(malId, episode);
  const seen = { intent: "save", mal_id: `${malId}`, type: "Watching", progress: "2" };
  expect((await member.request(page, { form: seen })).status).toBe(200);
  const title = await htmlOf(member.request(page));
  expect(title).toContain("Episode 3 is not here yet");
  expect(title).toContain("Wish for episode 3");
  expect(title).not.toContain("Watch again");
  // The data of the end card, which the browser shows after the film.
  expect(await htmlOf(member.request(`/watch/${malId}/2`))).toContain("Wish for episode 3");
  expect(await htmlOf(new Visitor().request(`/watch/${malId}/2`))).not.toContain("Wish for episode 3");
  const made = await changeEpisode(member, "wish", { malId, episode: 3 });
  expect(made.headers.get("Location")).toBe("/wishes?notice=made");
  await changeEpisode(member, "wish", { malId, episode: 3 });
  expect(await htmlOf(member.request(page))).toContain("You wished for episode 3.");
  expect(await htmlOf(member.request("/wishes"))).toMatch(/Zqxnext Lantern[\s\S]*Episode 3<[\s\S]*Take back/);
  expect(await htmlOf(operator.request("/admin/wishes"))).toMatch(
    /Episode 3 of Zqxnext Lantern<\/a><\/td><td[^>]*>1</,
  );
  // An operator who never chose a language for titles follows the browser.
  const inJapanese = { headers: { "Accept-Language": "ja" } };
  expect(await htmlOf(operator.request("/admin/wishes", inJapanese))).toMatch(
    new RegExp(`href="${page}"[^>]*>Episode 3 of 次の提灯<`),
  );
  expect(await (await member.request("/api/user/export")).json()).toMatchObject({
    wishes: [{ mal_id: malId, ep: 3, fulfilled_at: null }],
  });

  // Another episode does not end the wish.
  await addFilm(malId, 4);
  await endWishes();
  expect(await htmlOf(operator.request("/admin/wishes"))).toContain("Zqxnext Lantern");
  await addFilm(malId, 3);
  await endWishes();
  expect(await htmlOf(operator.request("/admin/wishes"))).toContain("There are no open wishes.");
  const home = await htmlOf(member.request("/"));
  expect(home.slice(home.indexOf("Here, as you wished"))).toMatch(/Zqxnext Lantern[\s\S]*?Episode 3</);
  const own = await htmlOf(member.request("/wishes"));
  expect(own).toMatch(new RegExp(`Here now[\\s\\S]*href="/watch/${malId}/3"`));
  // Watching another episode leaves the notice, watching this one ends it.
  for (const [ep, isShown] of [
    [4, true],
    [3, false],
  ] as const) {
    const report = { mal_id: malId, ep, position: 120, duration: 1400 };
    await dataOf(member.request("/api/user/progress", { method: "PUT", json: report }));
    expect((await htmlOf(member.request("/"))).includes("Here, as you wished"), `${ep}`).toBe(isShown);
  }
  await changeEpisode(member, "take-back", { malId, episode: 3 });
  expect(await episodesOf(member.id)).toEqual([]);
});

test("an episode that is here, that the title lacks or that has not aired accepts no wish", async () => {
  const ended = await someTitle({ episodes: 12 });
  const airing = await someTitle({
    episodes: 12,
    status: "Currently Airing",
    airedFrom: new Date(Date.now() - 10 * 24 * 60 * 60 * 1000),
  });
  for (const malId of [ended, airing]) await addFilm(malId);
  const statusOf = async (malId: number, episode: number) =>
    (await changeEpisode(member, "wish", { malId, episode })).status;
  expect(await statusOf(ended, 1)).toBe(409);
  expect(await statusOf(ended, 13)).toBe(404);
  expect(await statusOf(airing, 8)).toBe(409);
  expect(await htmlOf(member.request(`/watch/${airing}/8`))).not.toContain("Wish for episode");
  expect(await statusOf(airing, 2)).toBe(302);
  expect(
    (await changeEpisode(new Visitor(), "wish", { malId: ended, episode: 2 })).headers.get("Location"),
  ).toContain("/signin");
  // Each episode is a wish of its own.
  for (const episode of [2, 3, 4, 5]) expect(await statusOf(ended, episode)).toBe(302);
  expect(await statusOf(ended, 6)).toBe(409);
  expect(await episodesOf(member.id)).toEqual([2, 2, 3, 4, 5]);
  const file = await (await member.request("/api/user/export")).json();
  const other = await newMember();
  await addFilm(ended, 5);
  file.wishes.unshift({ mal_id: ended, ep: 13, wished_at: "2026-01-01T00:00:00Z" });
  await dataOf(other.request("/api/user/import", { json: file }));
  expect(await episodesOf(other.id)).toEqual([2, 2, 3, 4]);
});

test("the page of wishes says when each was made, when its film came, and plays it", async () => {
  const [open, here] = [await someTitle({ episodes: 12 }), await someTitle({ episodes: 12 })];
  for (const malId of [open, here]) await change(member, "wish", malId);
  await db.update(wishes).set({ wishedAt: new Date("2026-03-04T12:00:00Z") });
  await addFilm(here);
  await endWishes();
  await db
    .update(wishes)
    .set({ fulfilledAt: new Date("2026-03-09T12:00:00Z") })
    .where(eq(wishes.malId, here));
  const shown = await htmlOf(member.request("/wishes"));
  expect(shown).toContain("Wished on 4 March 2026 · here since 9 March 2026");
  expect(shown).toMatch(new RegExp(`Title ${open}[\\s\\S]*Wished on 4 March 2026<`));
  expect(shown).toContain(`href="/watch/${here}/1"`);
  expect(shown).not.toContain(`href="/watch/${open}/`);
  await db.delete(wishes);
  expect(await htmlOf(member.request("/wishes"))).toContain("You have no open wishes");
});

test("a title with a film, an unknown title and one that has not aired accept no wish", async () => {
  const [playable, upcoming] = [
    await someTitle({ episodes: 12 }),
    await someTitle({ episodes: 12, status: "Not yet aired" }),
  ];
  await addFilm(playable);
  for (const malId of [playable, upcoming])
    expect(await htmlOf(member.request(pageOf(malId))), `${malId}`).not.toContain("Wish for this title");
  expect((await change(member, "wish", playable)).status).toBe(409);
  expect((await change(member, "wish", upcoming)).status).toBe(409);
  expect((await change(member, "wish", 999_999_999)).status).toBe(404);
  expect(await wishesOf(member.id)).toEqual([]);
});

test("five wishes can be open, even when four are made at once", async () => {
  const ids: number[] = [];
  for (let i = 0; i < 7; i++) ids.push(await someTitle({ episodes: 12 }));
  for (const malId of ids.slice(0, 3)) expect((await change(member, "wish", malId)).status).toBe(302);
  const answers = await Promise.all(
    ids.slice(3).map((malId) => whenFree(() => change(member, "wish", malId))),
  );
  expect(answers.map(({ status }) => status).sort()).toEqual([302, 302, 409, 409]);
  const open = await wishesOf(member.id);
  expect(open).toHaveLength(5);
  const other = ids.find((malId) => !open.includes(malId)) ?? 0;
  expect(await htmlOf(change(member, "wish", other))).toContain("You have 5 open wishes");
  const page = await htmlOf(member.request(pageOf(other)));
  expect(page).toContain("You have 5 open wishes, which is the most");
  expect(page).not.toContain("Wish for this title");
  // A fulfilled wish makes room for another.
  await addFilm(open[0] ?? 0);
  expect((await change(member, "wish", other)).status).toBe(302);
});

test("operators see counts, most wished for first, and no member's name", async () => {
  const [one, two, here, hidden] = [
    await someTitle({ title: "Zqxonce Lantern" }),
    await someTitle({ title: "Zqxtwice Lantern" }),
    await someTitle({ title: "Zqxhere Lantern" }),
    await someTitle({ title: "Zqxhidden Lantern" }),
  ];
  const second = await newMember();
  for (const malId of [one, two, here, hidden]) await change(member, "wish", malId);
  await change(second, "wish", two);
  await addFilm(here);
  await db.update(titles).set({ hiddenAt: new Date() }).where(eq(titles.malId, hidden));
  expect(await htmlOf(operator.request("/admin"))).toMatch(/Wishes<\/a><\/dt><dd class="numeric">3</);
  const list = await htmlOf(operator.request("/admin/wishes"));
  const cells = [...list.matchAll(/(Zqx\w+) Lantern<\/a><\/td><td[^>]*>(\d+)</g)];
  expect(cells.map(([, name, count]) => [name, count])).toEqual([
    ["Zqxtwice", "2"],
    ["Zqxonce", "1"],
  ]);
  for (const { username, id, email } of [member, second])
    for (const secret of [username, id, email]) expect(list).not.toContain(secret);
  expect((await member.request("/admin/wishes")).status).toBe(403);
});

describe("a film that arrives", () => {
  test("fulfills the wish, and the home page shows the title to its member until they begin to watch it", async () => {
    const malId = await someTitle({ episodes: 12, title: "Zqxarrived Lantern" });
    await change(member, "wish", malId);
    const heading = "Here, as you wished";
    expect(await htmlOf(member.request("/"))).not.toContain(heading);
    await addFilm(malId);
    const home = await htmlOf(member.request("/"));
    expect(home).toContain(heading);
    expect(home.slice(home.indexOf(heading))).toContain("Zqxarrived Lantern");
    expect(await htmlOf(operator.request("/"))).not.toContain(heading);
    expect(await htmlOf(operator.request("/admin/wishes"))).toContain("There are no open wishes.");
    expect(await htmlOf(member.request("/wishes"))).toContain("Here now");
    const report = { mal_id: malId, ep: 1, position: 120, duration: 1400 };
    await dataOf(member.request("/api/user/progress", { method: "PUT", json: report }));
    expect(await htmlOf(member.request("/"))).not.toContain(heading);
  });

  test("and disappears again leaves the wish fulfilled, and its member can make it again", async () => {
    const malId = await someTitle({ episodes: 12, title: "Zqxgone Lantern" });
    await change(member, "wish", malId);
    const source = await addFilm(malId);
    await endWishes();
    await deleteSource(source);
    await endWishes();
    expect(await htmlOf(operator.request("/admin/wishes"))).toContain("There are no open wishes.");
    expect(await htmlOf(member.request("/"))).not.toContain("Here, as you wished");
    expect(await htmlOf(member.request(`/anime/${malId}/zqxgone-lantern`))).toContain("Wish for this title");
    const ended = await htmlOf(member.request("/wishes"));
    expect(ended.slice(ended.indexOf("Gone again"))).toMatch(/Zqxgone Lantern[\s\S]*Wish again/);
    expect(ended).not.toContain("Here now");
    for (let i = 0; i < 4; i++) await change(member, "wish", await someTitle());
    // Four wishes are open, and the fulfilled one takes no room.
    const again = await member.request("/wishes", { form: { intent: "wish", id: `${malId}` } });
    expect(again.headers.get("Location")).toBe("/wishes?notice=made");
    expect(await htmlOf(operator.request("/admin/wishes"))).toContain("Zqxgone Lantern");
    expect(await htmlOf(member.request("/wishes"))).not.toContain("Gone again");
  });

  test("removes the wish from the database after a month", async () => {
    const [kept, old] = [await someTitle(), await someTitle()];
    for (const malId of [kept, old]) await change(member, "wish", malId);
    const sources = [await addFilm(kept), await addFilm(old)];
    await deleteOldWishes();
    expect(await wishesOf(member.id)).toEqual([kept, old]);
    const end = (age: string) => sql`now() - ${age}::interval`;
    await db
      .update(wishes)
      .set({ fulfilledAt: end("31 days") })
      .where(eq(wishes.malId, old));
    await db
      .update(wishes)
      .set({ fulfilledAt: end("29 days") })
      .where(eq(wishes.malId, kept));
    for (const source of sources) await deleteSource(source);
    await deleteOldWishes();
    expect(await wishesOf(member.id)).toEqual([kept]);
  });
});

describe("somebody else", () => {
  test("a visitor signs in to wish, and sees no wishes", async () => {
    const malId = await someTitle();
    const visitor = new Visitor();
    expect(await htmlOf(visitor.request(pageOf(malId)))).not.toContain("Wish for this title");
    expect((await change(visitor, "wish", malId)).headers.get("Location")).toContain("/signin");
  });

  test("a child cannot wish, and sees no wishes", async () => {
    const malId = await someTitle({ rating: "g" });
    const { child } = await newChild("g");
    const page = await child.request(pageOf(malId));
    expect(page.status).toBe(200);
    expect(await page.text()).not.toContain("Wish for this title");
    for (const answer of [change(child, "wish", malId), child.request("/wishes")])
      expect((await answer).status).toBe(403);
    expect(await wishesOf(child.id)).toEqual([]);
  });

  test("a profile that becomes a child's loses its wishes", async () => {
    const malId = await someTitle();
    const id = await addProfile(member, "Mio");
    await db.insert(wishes).values({ userId: id, malId });
    await db.insert(episodeWishes).values({ userId: id, malId, episode: 2 });
    const form = { intent: "save", name: "Mio", accent: "#16a34a", ceiling: "g", pin: "2580" };
    expect((await member.request(`/profiles/${id}`, { form })).status).toBe(302);
    expect([await wishesOf(id), await episodesOf(id)]).toEqual([[], []]);
  });

  test("a title hidden by parental control accepts no wish", async () => {
    const malId = await someTitle({ rating: "rx" });
    expect((await change(member, "wish", malId)).status).toBe(404);
  });
});

test("the account's file brings wishes, up to the open limit, and only for titles without a film", async () => {
  const ids: number[] = [];
  for (let i = 0; i < 7; i++) ids.push(await someTitle());
  const [first = 0, withFilm = 0] = ids;
  await change(member, "wish", first);
  const file = await (await member.request("/api/user/export")).json();
  expect(file.wishes).toEqual([
    { mal_id: first, ep: null, wished_at: expect.any(String), fulfilled_at: null },
  ]);
  await addFilm(withFilm);
  const fulfilled = await someTitle();
  const more = ids.slice(1).map((mal_id) => ({ mal_id, wished_at: "2026-01-01T00:00:00Z" }));
  file.wishes.push(
    ...more,
    ...more,
    { mal_id: 1, wished_at: "soon" },
    { mal_id: fulfilled, wished_at: "2025-01-01T00:00:00Z", fulfilled_at: "2025-02-01T00:00:00Z" },
    { mal_id: 999_999_998, wished_at: "2026-01-01" },
  );
  const other = await newMember();
  for (let i = 0; i < 2; i++) await dataOf(other.request("/api/user/import", { json: file }));
  const imported = await wishesOf(other.id);
  expect(imported).toHaveLength(5);
  expect(imported).not.toContain(withFilm);
  expect(imported).not.toContain(fulfilled);
});

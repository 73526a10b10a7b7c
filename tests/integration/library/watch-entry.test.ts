import { expect, test } from "vitest";
import { db } from "#db/client.server.ts";
import { episodeSources, episodes } from "#db/schema/episodes.ts";
import { someTitle } from "#tests/support/data/database-rows.ts";
import { dataOf, wordsShown } from "#tests/support/requests/response-data.ts";
import { newMember, Visitor } from "#tests/support/requests/visitor.ts";

/** The member's list entry on an episode's page. Its forms go to the title's page, which leads back without scripts. */

const bar = (html: string) => /<section class="entry-bar".*?<\/section>/s.exec(html)?.[0];

test("an episode without a film is ticked on its page, and the entry is shown with its progress and score", async () => {
  const [member, malId] = [await newMember(), await someTitle({ episodes: 12 })];
  const shown = async (episode: number) => {
    const answer = await member.request(`/watch/${malId}/${episode}`);
    expect(answer.status).toBe(200);
    return bar(await answer.text());
  };
  const before = await shown(3);
  expect(wordsShown(before)).toBe("Mark as seen Add to list");
  expect(before).toContain('aria-pressed="false" value="3" name="tick"');
  const action = /<form[^>]* action="([^"]+)"/.exec(before ?? "")?.[1] ?? "";
  expect(action).toMatch(`/anime/${malId}/`);
  const send = (fields: Record<string, string>) =>
    member.request(action, { form: { intent: "save", mal_id: `${malId}`, ...fields } });
  for (const fields of [{ tick: "3" }, { score: "8" }]) {
    const answer = await send(fields);
    expect([answer.status, answer.headers.get("Location")]).toEqual([302, `/watch/${malId}/3`]);
  }
  const refused = await send({ score: "99" });
  expect(refused.status).toBe(400);
  expect(await refused.text()).toContain("Nothing was saved.");
  expect(wordsShown(await shown(3))).toMatch(/^Seen Watching · 3 \/ 12 /);
  expect(await shown(3)).toContain('<option value="8" selected="">');
  expect(await shown(3)).toContain('aria-pressed="true" value="3" name="untick"');
  expect(wordsShown(await shown(2))).toMatch(/^Mark as seen Watching · 3 \/ 12 /);
  expect(await shown(2)).toContain('aria-pressed="false" value="2" name="tick"');
  await dataOf(
    member.request("/api/user/watchList", { json: { animeId: malId, type: "Watching", state: "on_hold" } }),
  );
  expect(wordsShown(await shown(3))).toContain("On hold · 3 / 12");
});

test("the title's page names the highest ticked episode, and does not count ticks", async () => {
  const [member, malId] = [await newMember(), await someTitle({ episodes: 12 })];
  const html = await member.request(`/anime/${malId}/title-${malId}`, {
    form: { intent: "save", mal_id: `${malId}`, tick: "3" },
  });
  const editor = /<section class="entry-editor".*?<\/section>/s.exec(await html.text())?.[0];
  expect(wordsShown(editor)).toMatch(/At episode One episode less 3 \/ 12/);
});

test("while a title is watched again, the bar shows and edits the progress of this time", async () => {
  const [member, malId] = [await newMember(), await someTitle({ episodes: 12 })];
  const shown = async (episode: number) =>
    bar(await (await member.request(`/watch/${malId}/${episode}`)).text()) ?? "";
  const entry = { animeId: malId, type: "Watching", state: "rewatching", progress: 12, rewatch_progress: 2 };
  await dataOf(member.request("/api/user/watchList", { json: entry }));
  expect(wordsShown(await shown(2))).toContain("Rewatching · 2 / 12");
  expect(await shown(2)).toContain('aria-pressed="true" value="1" name="rewatch_progress"');
  expect(await shown(3)).toContain('aria-pressed="false" value="3" name="rewatch_progress"');
});

test("an episode's page names the episode before the list entry, and fills the film's frame if there is no still", async () => {
  const [member, malId] = [await newMember(), await someTitle({ episodes: 12 })];
  const pageOf = async (episode: number) => (await member.request(`/watch/${malId}/${episode}`)).text();
  const imageUrl = "https://pictures.example/2.jpg";
  await db.insert(episodes).values([
    { malId, number: 2 },
    { malId, number: 3, imageUrl },
  ]);
  const film = { malId, type: "mp4" } as const;
  await db.insert(episodeSources).values([
    { ...film, episode: 2, url: "https://films.example/2.mp4" },
    { ...film, episode: 3, url: "https://films.example/3.mp4" },
  ]);
  const plain = await pageOf(2);
  expect(plain.indexOf("<h1>Episode 2</h1>")).toBeGreaterThan(0);
  expect(plain.indexOf("<h1>Episode 2</h1>")).toBeLessThan(plain.indexOf('class="entry-bar"'));
  expect(plain).toMatch(new RegExp(`<img class="player-backdrop" src="/poster/${malId}\\.webp`));
  expect(plain).not.toMatch(/<video[^>]* poster=/);
  const drawn = await pageOf(3);
  expect(drawn).toMatch(/<video[^>]* poster="[^"]+"/);
  expect(drawn).not.toContain("player-backdrop");
});

test("unticking an episode of a title that is not on the list does not add it", async () => {
  const [member, malId] = [await newMember(), await someTitle({ episodes: 12 })];
  const send = async (fields: Record<string, string>, status: number) => {
    const form = { intent: "save", mal_id: `${malId}`, ...fields };
    const path = /action="([^"]+)"/.exec(bar(await (await member.request(`/watch/${malId}/1`)).text()) ?? "");
    const answer = await member.request(path?.[1] ?? "", { form });
    expect(answer.status).toBe(status);
    return answer.text();
  };
  const list = () => dataOf<unknown[]>(member.request("/api/user/watchList"));
  expect(await send({ untick: "1" }, 200)).toContain("The title is not on your list, so nothing was changed");
  expect(await list()).toEqual([]);
  await send({ tick: "1" }, 302);
  expect(await list()).toHaveLength(1);
});

test("a visitor has no such bar", async () => {
  const malId = await someTitle({ episodes: 12 });
  expect(bar(await (await new Visitor().request(`/watch/${malId}/3`)).text())).toBeUndefined();
});

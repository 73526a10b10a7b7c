import { beforeAll, expect, test } from "vitest";
import { db } from "#db/client.server.ts";
import { episodeSources, episodes } from "#db/schema/episodes.ts";
import { importTitles } from "#tests/support/data/import-titles.ts";
import { dataOf, wordsShown } from "#tests/support/requests/response-data.ts";
import { newMember, Visitor } from "#tests/support/requests/visitor.ts";

/** The watch page around the film. */

beforeAll(async () => {
  const episode = { kind: "episode", mal_id: 1 };
  await importTitles([
    { kind: "title", mal_id: 1, title: "Pictured", type: "TV", episodes: 3 },
    { ...episode, number: 1, title: "Drawn", image_url: "https://stills.example/1.jpg" },
    { ...episode, number: 2, title: "Bare" },
    { ...episode, number: 3, title: "Stored", image_url: "/images/3.webp" },
    {
      kind: "title",
      mal_id: 31,
      title: "Kiri",
      title_japanese: "霧",
      type: "Movie",
      episodes: 1,
      synopsis: "Mist.",
    },
    { kind: "title", mal_id: 32, title: "Fune", title_japanese: "船", type: "TV", episodes: 2 },
    { kind: "title", mal_id: 2, title: "Numbered", type: "TV", episodes: 4, synopsis: "A lantern goes out." },
    { kind: "episode", mal_id: 2, number: 2, title: "Episode 2" },
    { kind: "episode", mal_id: 2, number: 3, title: "The Well" },
  ]);
  await db.insert(episodes).values({ malId: 2, number: 1, durationSeconds: 1440 });
  const film = { malId: 2, type: "mp4" } as const;
  await db
    .insert(episodeSources)
    .values(
      [1, 2, 3].map((number) => ({ ...film, episode: number, url: `https://films.example/${number}.mp4` })),
    );
});

const pageOf = async (path: string) => (await new Visitor().request(path)).text();

test("the list beside the film shows the episodes' stills from this site, and nothing without one", async () => {
  const html = await pageOf("/watch/1/2");
  const rows = html.match(/<li class="episode-line">.*?<\/li>/gs) ?? [];
  const stills = rows.map((row) => /<img [^>]*class="episode-still"[^>]*>/.exec(row)?.[0]);
  expect(stills).toHaveLength(3);
  expect(stills[0]).toMatch(/ src="\/[^"]*stills\.example[^"]*"/);
  expect(stills[0]).toContain('loading="lazy"');
  expect(stills[1]).toBeUndefined();
  expect(stills[2]).toContain('src="/images/3.webp"');
});

test("pages with other hosts' pictures name only addresses of this site, as the policy requires", async () => {
  expect(await pageOf("/watch/1/1")).not.toMatch(/"https:\/\/stills\.example/);
  expect(await pageOf("/watch/1/2")).not.toMatch(/"https:\/\/stills\.example/);
});

test("the list of episodes says the number of an episode once, and which of them are not here", async () => {
  const html = await (await (await newMember()).request("/watch/2/1")).text();
  const rows = html.match(/<li class="episode-line">.*?<\/li>/gs) ?? [];
  expect(rows.map(wordsShown)).toEqual([
    "Episode 1 24 min",
    "Episode 2",
    "Episode 3 The Well",
    "Episode 4 Not here yet",
  ]);
  expect(rows[3]).toContain('href="/watch/2/4"');
  expect(html).toContain("<h1>Episode 1</h1>");
  expect(await (await (await newMember()).request("/watch/2/2")).text()).toContain("<h1>Episode 2</h1>");
});

test("under the film is the episode's position, and the title's synopsis if the episode has none", async () => {
  const html = await (await (await newMember()).request("/watch/2/1")).text();
  const words = wordsShown(/<main.*?<\/main>/s.exec(html)?.[0]);
  expect(words).toContain("Add to list 24 min About");
  expect(words).toContain("About Numbered A lantern goes out.");
});

test("a movie goes by its name, without a number, a list of episodes and steps to others", async () => {
  await importTitles([{ kind: "title", mal_id: 4, title: "Night Ferry", type: "Movie", episodes: 1 }]);
  const member = await newMember();
  const html = await (await member.request("/watch/4/1")).text();
  const words = wordsShown(/<main.*?<\/main>/s.exec(html)?.[0]);
  expect(html).toContain("<h1>Night Ferry</h1>");
  expect(words).toContain("Night Ferry is not here yet");
  expect(words).not.toMatch(/episode|Previous|Next/i);
  await db.insert(episodes).values({ malId: 4, number: 1, title: "Complete Movie" }).onConflictDoNothing();
  await db
    .insert(episodeSources)
    .values({ malId: 4, episode: 1, url: "https://films.example/4.mp4", type: "mp4" });
  const title = wordsShown(
    /<main.*?<\/main>/s.exec(await (await member.request("/anime/4/night-ferry")).text())?.[0],
  );
  expect(title).not.toMatch(/1 episode|Episode 1/);
});

test("an episode that the catalog may lack is not said to be missing from the title", async () => {
  await importTitles([{ kind: "title", mal_id: 5, title: "Endless", type: "TV" }]);
  expect(wordsShown(await pageOf("/watch/5/7"))).toContain("This site knows no episode with this number yet");
  expect(wordsShown(await pageOf("/watch/2/7"))).toContain("The title has no episode with this number.");
});

test("the row under the film is left out if the list of episodes shows the same", async () => {
  await importTitles([{ kind: "title", mal_id: 3, title: "Long", type: "TV", episodes: 13 }]);
  const hasRow = async (path: string) => /<h2[^>]*>Episodes</.test(await pageOf(path));
  expect(await hasRow("/watch/2/2")).toBe(false);
  expect(await hasRow("/watch/3/2")).toBe(true);
});

test("a missing episode has the whole synopsis, and asks only its member who has not seen it to mark it", async () => {
  const member = await newMember();
  const shown = async () =>
    wordsShown(/<main.*?<\/main>/s.exec(await (await member.request("/watch/2/4")).text())?.[0]);
  const unseen = await shown();
  expect(unseen).toContain("You can still mark it as seen, below.");
  expect(unseen).toContain("About Numbered A lantern goes out.");
  await dataOf(
    member.request("/api/user/watchList", { json: { animeId: 2, type: "Watching", progress: 4 } }),
  );
  expect(await shown()).not.toContain("mark it as seen, below");
});

test("a visitor is told that members can keep a list, on the page of a missing episode and of its title", async () => {
  for (const path of ["/watch/1/1", "/anime/1/pictured"]) {
    const html = await pageOf(path);
    expect(wordsShown(html)).toContain("Members can keep a list and record what they have seen. Sign in");
    expect(html).toContain(`href="/signin?redirectTo=${encodeURIComponent(path)}"`);
  }
  const toMember = await (await (await newMember()).request("/anime/1/pictured")).text();
  expect(wordsShown(toMember)).toContain("Not yet aired. Your list can already hold it.");
});

test("a missing episode offers another without a primary button, and only once", async () => {
  const member = await newMember();
  const primary = async () =>
    [
      ...(await (await member.request("/watch/2/4")).text()).matchAll(
        /<a class="button"([^>]*)href="(\/watch\/[^"]+)"[^>]*>(.*?)<\/a>/gs,
      ),
    ].map(([, kind = "", href, label]) => [/data-kind="(\w+)"/.exec(kind)?.[1], href, wordsShown(label)]);
  expect(await primary()).toEqual([["glass", "/watch/2/1", "Watch · Ep 1"]]);
  await dataOf(
    member.request("/api/user/watchList", { json: { animeId: 2, type: "Watching", progress: 3 } }),
  );
  expect(await primary()).toEqual([]);
  const title = await (await member.request("/anime/2/numbered")).text();
  expect(title).toContain("Episode 4 is not here yet");
  expect(title).not.toContain("Watch again");
  await dataOf(
    member.request("/api/user/watchList", { json: { animeId: 2, type: "Completed", progress: 4 } }),
  );
  expect(await (await member.request("/anime/2/numbered")).text()).toContain("Watch again");
});

test("a Japanese name is marked as Japanese, so that no browser draws it with Chinese letters", async () => {
  const headers = { "Accept-Language": "ja" };
  const pageIn = async (path: string) => (await new Visitor().request(path, { headers })).text();
  const seriesLine = (page: string) => page.match(/class="watch-series".*?<\/p>/s)?.[0];
  const movie = await pageIn("/watch/31/1");
  expect(movie).toContain('<h1 lang="ja">霧</h1>');
  expect(seriesLine(movie)).toContain('All about <span lang="ja">霧</span>');
  expect(movie).toContain('<span lang="ja">霧</span> is not here yet');
  expect(movie).toContain('<h2 id="about">About <span lang="ja">霧</span></h2>');
  const series = await pageIn("/watch/32/2");
  expect(seriesLine(series)).toContain('<span lang="ja">船</span>');
  expect(series).toContain("<h1>Episode 2</h1>");
});

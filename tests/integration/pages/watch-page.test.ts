import { beforeAll, expect, test } from "vitest";
import { importTitles } from "#tests/support/data/import-titles.ts";
import { Visitor } from "#tests/support/requests/visitor.ts";

/** The pictures of the watch page. */

beforeAll(async () => {
  const episode = { kind: "episode", mal_id: 1 };
  await importTitles([
    { kind: "title", mal_id: 1, title: "Pictured", type: "TV", episodes: 3 },
    { ...episode, number: 1, title: "Drawn", image_url: "https://stills.example/1.jpg" },
    { ...episode, number: 2, title: "Bare" },
    { ...episode, number: 3, title: "Stored", image_url: "/images/3.webp" },
  ]);
});

const pageOf = async (path: string) => (await new Visitor().request(path)).text();

test("the list beside the film shows the stills of its episodes from this site, and nothing where there is none", async () => {
  const html = await pageOf("/watch/1/2");
  const rows = html.match(/<li class="episode-line">.*?<\/li>/gs) ?? [];
  const stills = rows.map((row) => /<img [^>]*class="episode-still"[^>]*>/.exec(row)?.[0]);
  expect(stills).toHaveLength(3);
  expect(stills[0]).toMatch(/ src="\/[^"]*stills\.example[^"]*"/);
  expect(stills[0]).toContain('loading="lazy"');
  expect(stills[1]).toBeUndefined();
  expect(stills[2]).toContain('src="/images/3.webp"');
});

test("pages of other hosts' pictures name only addresses of this site, which its policy lets browsers load", async () => {
  expect(await pageOf("/watch/1/1")).not.toMatch(/"https:\/\/stills\.example/);
  expect(await pageOf("/watch/1/2")).not.toMatch(/"https:\/\/stills\.example/);
});

import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { temporaryFolder } from "#tests/support/setup/temporary-folder.ts";

/** The catalog decides how a file name is read. A match is sure only if nothing contradicts it. */

const folder = temporaryFolder("films");
process.env.MEDIA_DIR = folder;
const { importTitles } = await import("#tests/support/data/import-titles.ts");
const { proposeSources } = await import("#app/domain/playback/playback.server.ts");

const titles = [
  { mal_id: 1, title: "Iron Smith", type: "TV", episodes: 51, year: 2003, members: 9000 },
  { mal_id: 2, title: "Iron Smith: Brothers", type: "TV", episodes: 64, year: 2009, members: 20_000 },
  { mal_id: 3, title: "Ox and Tiger", type: "OVA", episodes: 10, year: 1992, members: 500 },
  { mal_id: 4, title: "Ox and Tiger (TV)", type: "TV", episodes: 26, year: 2015, members: 4000 },
  { mal_id: 5, title: "Peach Basket", type: "TV", episodes: 26, year: 2001, members: 700 },
  { mal_id: 6, title: "Peach Basket", type: "TV", episodes: 25, year: 2019, members: 800 },
  { mal_id: 7, title: "Mob 100", type: "TV", episodes: 12, year: 2016 },
  { mal_id: 8, title: "Mob 100 II", type: "TV", episodes: 13, year: 2019 },
  { mal_id: 9, title: "Light Music!", type: "TV", episodes: 14, year: 2009, members: 900 },
  { mal_id: 10, title: "Light Music!!", type: "TV", episodes: 27, year: 2010, members: 800 },
  { mal_id: 11, title: "Tower of Rain: The Sword of Uruk", type: "TV", episodes: 12, year: 2009 },
  { mal_id: 12, title: "Tower of Rain", type: "TV", episodes: 12, year: 2008 },
  { mal_id: 13, title: "The Grave of Moths", type: "Movie", episodes: 1, year: 1988 },
  { mal_id: 14, title: "Paper Lantern Story", type: "TV", episodes: 12, title_synonyms: ["Peach Basket 3"] },
  // A rule says that the numbers of the first title continue in the second.
  { mal_id: 41_380, title: "A Million Lives", type: "TV", episodes: 12, year: 2020 },
  { mal_id: 44_881, title: "A Million Lives: Again", type: "TV", episodes: 12, year: 2021 },
];

type Decided = [malId: number, episode: number | null, isSure: boolean, reason?: RegExp];

const decided: [path: string, expected: Decided | null][] = [
  ["[Group] Iron Smith - 05 [1080p].mkv", [1, 5, true]],
  ["Iron Smith (2009) - 05.mkv", [1, 5, false, /it is of 2003/]],
  ["Iron Smith (2003) - 05.mkv", [1, 5, true]],
  ["too far/Iron Smith - 60.mkv", [2, 9, false, /goes on here if the numbers do/]],
  ["Iron Smith.mkv", [1, null, false, /no number/]],
  ["Iron Smith - 07.5.mkv", [1, null, false, /no whole episode/]],
  ["Iron Smith - SP1.mkv", [1, null, false, /a special/]],
  ["Iron Smith - 00.mkv", [1, 0, false, /episode 0/]],
  ["Iron Smith - Gold Alloy - 05.mkv", [1, 5, false, /says more/]],
  ["Iron Smith - Brothers - 05.mkv", [2, 5, true]],
  ["[Group] Ox and Tiger (TV) - 02.mkv", [4, 2, true]],
  ["[Group] Ox and Tiger OVA - 02.mkv", [3, 2, true]],
  ["Peach Basket (2019) - 03.mkv", [6, 3, true]],
  ["Peach Basket - 03.mkv", [6, 3, false, /has the same name/]],
  ["Mob 100 - 03.mkv", [7, 3, true]],
  ["Mob 100 S2 - 03.mkv", [8, 3, true]],
  ["Mob 100/Season 2/Mob 100 - S02E03.mkv", [8, 3, true]],
  ["Light_Music!!_Ep08_Plans_[1080p].mkv", [10, 8, true]],
  ["Light_Music!_Ep08_Plans_[1080p].mkv", [9, 8, true]],
  ["[Group] Tower of Rain - Sword of Uruk - 04.mkv", [11, 4, true]],
  ["The Grave of Moths (1988).mkv", [13, null, true]],
  ["Peach Basket 3 - 01.mkv", [14, 1, true]],
  ["Iron Smith - 01-03.mkv", [1, 1, true]],
  ["A Million Lives - 15.mkv", [44_881, 3, true]],
  ["A Million Lives - 13-14.mkv", [44_881, 1, true]],
  ["A Million Lives - 25.mkv", [41_380, 25, false, /has 12 episodes/]],
  ["again/A Million Lives - Again - 13.mkv", [44_881, 1, true]],
  ["Something Else Altogether - 01.mkv", null],
];

await importTitles(titles.map((title) => ({ kind: "title", ...title })));
for (const [path] of decided) {
  mkdirSync(dirname(join(folder, path)), { recursive: true });
  writeFileSync(join(folder, path), "");
}
const proposed = await proposeSources(folder);
if (!proposed.ok) throw new Error(proposed.message);
const found = new Map(proposed.value.proposals.map((one) => [one.path, one]));

test.each(decided)("%s is %o", (path, expected) => {
  const proposal = found.get(path);
  if (expected === null) return expect(proposal?.state).not.toBe("new");
  const [malId, episode, isSure, reason] = expected;
  expect([proposal?.match?.malId, proposal?.episode, proposal?.state === "new"]).toEqual([
    malId,
    episode,
    isSure,
  ]);
  if (reason) expect(proposal?.reasons.join("; ")).toMatch(reason);
  else expect(proposal?.reasons).toEqual([]);
});

import { readFileSync } from "node:fs";
import { mkdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { temporaryFolder } from "#tests/support/setup/temporary-folder.ts";

/** Names as real release groups write them, matched with the starter catalog, which lacks most of their titles. */

const folder = temporaryFolder("names");
process.env.MEDIA_DIR = folder;
await import("#tests/support/site/in-process.ts");
const { seedStarterCatalog } = await import("#app/domain/catalog-import/catalog-import.server.ts");
const { proposeSources } = await import("#app/domain/playback/playback.server.ts");
const { listTitlesById } = await import("#app/domain/catalog/catalog.server.ts");
const { unrestricted } = await import("#app/domain/visibility/visibility.server.ts");

const names = readFileSync("tests/fixtures/film-names.txt", "utf8")
  .split("\n")
  .filter((line) => line.includes("\t"))
  .map((line, index) => {
    const [expected = "", path = ""] = line.split("\t");
    const [title, episode = "-"] = expected.split(" ");
    // A file without a folder is put into one whose name says nothing.
    return { path: path.includes("/") ? path : `New ${index}/${path}`, malId: Number(title), episode };
  });

/** The catalog lacks these spellings of its titles' names. */
const missed = ["Hellsing Ultimate OVA IV.mkv", "[ANi] 藥師少女的獨語 第二季 - 30"];

await seedStarterCatalog();
for (const { path } of names) {
  await mkdir(dirname(join(folder, path)), { recursive: true });
  await writeFile(join(folder, path), "film");
}
const proposed = await proposeSources(folder);
if (!proposed.ok) throw new Error(proposed.message);
const proposals = new Map(
  proposed.value.proposals.map(({ path, match, episode, lastEpisode, state }) => {
    const numbers =
      episode === null ? "-" : lastEpisode === episode ? `${episode}` : `${episode}-${lastEpisode}`;
    return [path, { text: `${match?.malId ?? "-"} ${numbers}`, isSure: state === "new" }];
  }),
);
const malIds = names.map(({ malId }) => malId).filter((malId) => malId > 0);
const inCatalog = new Set((await listTitlesById(malIds, unrestricted)).map(({ malId }) => malId));

/** A film without a number is the first episode of its title. */
const isFound = ({ path, malId, episode }: (typeof names)[number]) => {
  const found = proposals.get(path);
  if (!inCatalog.has(malId)) return found?.isSure === false;
  if (episode === "special" || episode === "unsure") return found?.text.startsWith(`${malId} `) === true;
  return found?.text === `${malId} ${episode}` || (episode === "-" && found?.text === `${malId} 1`);
};

test("no match is sure and wrong", () => {
  expect(names.length).toBeGreaterThan(300);
  expect(inCatalog.size).toBeGreaterThan(90);
  const wrong = names.filter(({ path, malId, episode }) => {
    const isSure = proposals.get(path)?.isSure ?? false;
    const isRight = inCatalog.has(malId) && isFound({ path, malId, episode });
    return isSure && (!isRight || episode === "special" || episode === "unsure");
  });
  expect(wrong.map(({ path }) => [path, proposals.get(path)?.text])).toEqual([]);
});

test("each title that the catalog has is found, except for a few spellings", () => {
  const notFound = names.filter((name) => !isFound(name)).map(({ path }) => path);
  expect(notFound.filter((path) => !missed.some((name) => path.includes(name)))).toEqual([]);
});

test("more than half of the files whose title the catalog has are sure matches", () => {
  const known = names.filter(({ malId }) => inCatalog.has(malId));
  const sure = known.filter(({ path }) => proposals.get(path)?.isSure);
  expect(sure.length).toBeGreaterThan(0.5 * known.length);
});

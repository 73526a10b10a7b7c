import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { median } from "#tests/bench/measuring/median.ts";
import { processorSecondsOf } from "#tests/bench/measuring/servers.ts";
import { figure } from "#tests/load/figures.ts";
import { until } from "#tests/support/checks/wait-until.ts";
import { generatedTitles } from "#tests/support/data/generated-titles.ts";
import { goodPassword } from "#tests/support/data/good-password.ts";
import { signInAt } from "#tests/support/requests/session-member.ts";
import { someMedia, startAniList } from "#tests/support/servers/anilist.ts";
import { temporaryFolder } from "#tests/support/setup/temporary-folder.ts";
import { addOperator, runTool } from "#tests/support/site/command-line-tools.ts";
import { startSite } from "#tests/support/site/site-process.ts";

/**
 * The processor time of a member's page of a title with details, and of a title that the source does not know. The
 * details are those of a well-known series: 25 characters with two voices each, a dozen of the staff, 20 tags.
 */

const titlesOfEach = 20;
const firstId = 700_000_000;
const rounds = 9;
const visitsPerRound = 3;

const named = (id: number, name: string) => ({
  id,
  name: { full: `${name} ${id}`, native: null, alternative: [] },
  image: { large: null },
  favourites: id,
});
const times = <Made>(count: number, make: (number: number) => Made) =>
  Array.from({ length: count }, (_, number) => make(number));
const paragraph =
  "A letter arrives in the harbour when the last ferry has left, and nobody claims it. ".repeat(8);

const famousMedia = (malId: number, origin: string) =>
  someMedia(malId, origin, {
    description: times(3, () => paragraph).join("<br><br>"),
    coverImage: null,
    bannerImage: null,
    streamingEpisodes: times(12, (at) => ({ title: `Episode ${at + 1} - The Letter`, thumbnail: null })),
    tags: times(20, (at) => ({
      name: `Tag ${at}`,
      category: "Theme",
      rank: 99 - at,
      isGeneralSpoiler: false,
      isMediaSpoiler: false,
      isAdult: false,
    })),
    characters: {
      edges: times(25, (at) => ({
        role: at < 5 ? "MAIN" : "SUPPORTING",
        node: named(10_000 + at, "Character"),
        voices: { JAPANESE: [named(20_000 + at, "Voice")], ENGLISH: [named(30_000 + at, "Voice")] },
      })),
    },
    staff: { edges: times(12, (at) => ({ role: "Key Animation", node: named(40_000 + at, "Artist") })) },
  });

const source = await startAniList();
const site = await startSite({
  DETAILS_URL: source.origin,
  ALLOW_PRIVATE_UPSTREAMS: new URL(source.origin).host,
  RATE_LIMIT_POINTS: "1000000",
});
const titles = generatedTitles(2 * titlesOfEach, firstId);
const file = join(temporaryFolder("title-details"), "titles.ndjson");
writeFileSync(
  file,
  titles.map((title) => JSON.stringify({ ...title, status: "Finished Airing" })).join("\n"),
);
runTool(site, "catalog-import", [file]);
addOperator(site, "operator@example.org", goodPassword);

test("pages of titles with details, beside pages of titles without", async () => {
  const { cookie } = await signInAt(site.origin, "operator@example.org");
  const read = async (path: string) => {
    const answer = await fetch(site.origin + path, { headers: { Cookie: cookie } });
    expect([path, answer.status]).toEqual([path, 200]);
    return { path: new URL(answer.url).pathname, html: await answer.text() };
  };
  const turnedOn = await fetch(`${site.origin}/admin/details`, {
    method: "POST",
    headers: { Cookie: cookie, Origin: site.origin },
    body: new URLSearchParams({ intent: "on" }),
  });
  expect(turnedOn.status).toBe(200);
  source.media = titles
    .slice(0, titlesOfEach)
    .map(({ mal_id }) => famousMedia(Number(mal_id), source.origin));
  const pathsOf = async (part: typeof titles) => {
    const paths: string[] = [];
    for (const { mal_id } of part) paths.push((await read(`/anime/${mal_id}`)).path);
    return paths;
  };
  const kinds = [
    { name: "without details", paths: await pathsOf(titles.slice(titlesOfEach)), ms: [] as number[] },
    { name: "with details", paths: await pathsOf(titles.slice(0, titlesOfEach)), ms: [] as number[] },
  ];
  await until(async () => {
    for (const path of kinds[1]?.paths ?? [])
      if (!(await read(path)).html.includes('id="characters"')) return false;
    return true;
  });
  // The first round makes the server load its code.
  for (let round = 0; round <= rounds; round++)
    for (const { paths, ms } of kinds) {
      const before = processorSecondsOf(site.process.pid);
      for (let visit = 0; visit < visitsPerRound; visit++) for (const path of paths) await read(path);
      const used = processorSecondsOf(site.process.pid) - before;
      if (round > 0) ms.push((1000 * used) / (visitsPerRound * paths.length));
    }
  for (const { name, ms } of kinds) figure("title-details", `a member's page ${name}`, median(ms), "ms");
});

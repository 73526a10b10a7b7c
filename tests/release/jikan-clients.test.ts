import { execFileSync } from "node:child_process";
import { mkdirSync } from "node:fs";
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { beforeAll, expect, test } from "vitest";
import { jikanCalls } from "#tests/support/checks/jikan-calls.ts";
import { jikanAnswer } from "#tests/support/checks/jikan-description.ts";
import { startSite } from "#tests/support/site/site-process.ts";

/** Other people's tools and clients use /v4. The site does not depend on them; they are installed here. */

const tools = resolve("node_modules/.cache/jikan-clients");
const packages = ["ajv@8.20.0", "@tutkli/jikan-ts@3.1.0", "ky@1.14.3", "@shineiichijo/marika@3.0.1"];

const site = await startSite({ RATE_LIMIT_CATALOG_POINTS: "100000" });

beforeAll(() => {
  mkdirSync(tools, { recursive: true });
  const flags = ["--no-save", "--no-audit", "--no-fund", "--loglevel", "error"];
  execFileSync("npm", ["install", "--prefix", tools, ...flags, ...packages], { encoding: "utf8" });
});

const load = (file: string) => import(pathToFileURL(resolve(tools, "node_modules", file)).href);

async function ask(call: string) {
  const response = await fetch(`${site.origin}/v4${call}`);
  return { status: response.status, body: await response.json() };
}

test("ajv accepts every answer by Jikan's own description", async () => {
  const { default: ajv } = await load("ajv/dist/2020.js");
  const validator = new (ajv.default ?? ajv)({ strict: false, allErrors: true, validateFormats: false });
  const { body: companies } = await ask("/producers?order_by=count&sort=desc");
  const complaints: string[] = [];
  const ids = [1, 5, 9253, 5114, 900_000_001];
  for (const id of ids)
    for (const { path, call } of jikanCalls({ id, producer: companies.data[0].mal_id })) {
      const { status, body } = await ask(call);
      if (status === 404 && id !== 1) continue;
      const isValid = validator.validate(jikanAnswer(path), body);
      if (status !== 200 || !isValid) complaints.push(`${call}: ${status} ${validator.errorsText()}`);
    }
  expect(complaints).toEqual([]);
});

test("@tutkli/jikan-ts works with another host and no other change", async () => {
  const { JikanClient } = await load("@tutkli/jikan-ts/dist/index.js");
  const { default: ky } = await load("ky/distribution/index.js");
  const client = new JikanClient({ kyInstance: ky.create({ prefixUrl: `${site.origin}/v4` }) });
  expect((await client.anime.getAnimeById(1)).data).toMatchObject({ mal_id: 1, title: "Cowboy Bebop" });
  const { data: full } = await client.anime.getAnimeFullById(1);
  expect(full.relations.length).toBeGreaterThan(0);
  expect((await client.anime.getAnimeThemes(1)).data).toEqual(full.theme);
  expect((await client.anime.getAnimeStreaming(900_000_001)).data).toEqual([
    { name: "Engawa", url: expect.stringContaining("/anime/900000001/") },
  ]);
  const { data: found, pagination } = await client.anime.getAnimeSearch({ q: "bebop", limit: 3 });
  expect(found[0].mal_id).toBe(1);
  expect(pagination.items.per_page).toBe(3);
  expect((await client.anime.getAnimeEpisodes(1)).data.length).toBeGreaterThan(0);
  expect((await client.top.getTopAnime({ limit: 5 })).data).toHaveLength(5);
  expect((await client.seasons.getSeasonsList()).data.length).toBeGreaterThan(10);
  expect((await client.genres.getAnimeGenres()).data.length).toBeGreaterThan(20);
  expect((await client.producers.getProducersSearch({ q: "sunrise" })).data.length).toBeGreaterThan(0);
  expect((await client.random.getRandomAnime()).data.mal_id).toBeGreaterThan(0);
  await expect(client.anime.getAnimeCharacters(1)).rejects.toThrow();
});

test("@shineiichijo/marika works with another host and no other change", async () => {
  const { default: constants } = await load("@shineiichijo/marika/dist/constants/index.js");
  constants.API_URL = `${site.origin}/v4`;
  const { default: marika } = await load("@shineiichijo/marika/dist/index.js");
  const client = new marika.Marika();
  expect(await client.anime.getAnimeFullById(1)).toMatchObject({ mal_id: 1, title: "Cowboy Bebop" });
  const { data: found } = await client.anime.getAnimeSearch({ q: "bebop", type: "TV", limit: 3 });
  expect(found[0].mal_id).toBe(1);
  expect((await client.anime.getAnimeEpisodes(1)).data.length).toBeGreaterThan(0);
  expect((await client.top.getTopAnime({ filter: "bypopularity" })).data.length).toBeGreaterThan(20);
  expect((await client.seasons.getSeason(1998, "spring")).data.length).toBeGreaterThan(0);
  expect((await client.schedules.getSchedules({ filter: "monday" })).pagination.current_page).toBe(1);
  expect((await client.genres.getAnimeGenres({ filter: "themes" })).length).toBeGreaterThan(10);
  expect((await client.random.getRandomAnime()).mal_id).toBeGreaterThan(0);
  await expect(client.anime.getAnimeCharacters(1)).rejects.toThrow();
});

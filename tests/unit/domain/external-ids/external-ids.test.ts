import { expect, test } from "vitest";
import {
  externalIdOfUrl,
  externalLabel,
  externalUrl,
  formatExternalId,
  parseExternalId,
} from "#app/domain/external-ids/external-ids.ts";
import { externalSites } from "#db/schema/enumerations.ts";

test.each([
  ["https://anidb.net/anime/23", "anidb:23"],
  ["https://anidb.net/perl-bin/animedb.pl?show=anime&aid=23", "anidb:23"],
  ["https://anilist.co/anime/1", "anilist:1"],
  ["https://anime-planet.com/anime/cowboy-bebop", "anime-planet:cowboy-bebop"],
  ["https://animecountdown.com/37089", "animecountdown:37089"],
  ["https://www.animenewsnetwork.com/encyclopedia/anime.php?id=13", "ann:13"],
  ["https://anisearch.com/anime/1572", "anisearch:1572"],
  ["https://kitsu.io/anime/1", "kitsu:1"],
  ["https://kitsu.app/anime/1", "kitsu:1"],
  ["https://livechart.me/anime/3418", "livechart:3418"],
  ["https://notify.moe/anime/Tk3ccKimg", "notify:Tk3ccKimg"],
  ["https://simkl.com/anime/37089", "simkl:37089"],
  ["https://www.imdb.com/title/tt0213338/", "imdb:tt0213338"],
  ["https://www.themoviedb.org/tv/30991-cowboy-bebop", "tmdb-tv:30991"],
  ["http://thetvdb.com/?tab=series&id=76885", "tvdb:76885"],
])("%s is read as %s", (url, text) => {
  const found = externalIdOfUrl(url);
  expect(found && formatExternalId(found)).toBe(text);
});

test.each([
  "https://myanimelist.net/anime/1",
  "https://evil.example/anidb.net/anime/23",
  "https://anidb.net.evil.example/anime/23",
  "https://kitsu.app/anime/1-is-a-slug",
  "https://anidb.net/anime/0",
  "javascript:alert(1)",
])("%s belongs to no known site", (url) => {
  expect(externalIdOfUrl(url)).toBeUndefined();
});

test("an id is read with any spelling of its site, and a season only for sites that have seasons", () => {
  expect(parseExternalId(" Anime_Planet:cowboy-bebop ")).toEqual({
    site: "anime-planet",
    id: "cowboy-bebop",
    season: null,
  });
  expect(parseExternalId("tvdb:76885:0")).toEqual({ site: "tvdb", id: "76885", season: 0 });
  expect(["mal:1", "", "anidb"].map(parseExternalId)).toEqual(["unknown site", "unknown site", "wrong id"]);
  for (const text of [
    "anidb:x",
    "anidb:1:1",
    "tvdb:1:1:1",
    "tvdb:1:-1",
    "tvdb:1:1000",
    "imdb:213338",
    "anidb:1'",
  ])
    expect(parseExternalId(text)).toBe("wrong id");
});

test("every site has a label, and a link that is read back to the same id", () => {
  const ids = { imdb: "tt0213338", "anime-planet": "cowboy-bebop", notify: "Tk3ccKimg" } as Record<
    string,
    string
  >;
  for (const site of externalSites) {
    const id = { site, id: ids[site] ?? "23", season: null };
    expect(externalIdOfUrl(externalUrl(id))).toEqual(id);
    expect(externalLabel(id)).not.toBe("");
  }
  expect(externalLabel({ site: "tvdb", id: "1", season: 2 })).toBe("TheTVDB (season 2)");
  expect(externalLabel({ site: "tvdb", id: "1", season: 0 })).toBe("TheTVDB (specials)");
});

import { describe, expect, test } from "vitest";
import { readFilmName } from "#app/domain/scanning/names/film-name.ts";
import { takeIds } from "#app/domain/scanning/names/id-tags.ts";

const text = (ids: readonly { site: string; id: string }[]) =>
  ids.map(({ site, id }) => `${site}:${id}`).join(" ");

describe("takeIds", () => {
  test.each([
    ["Show (2001) {tvdb-76885}", "Show (2001)", "tvdb:76885"],
    ["Show [tvdbid-76885]", "Show", "tvdb:76885"],
    ["Show [anidb-4563]", "Show", "anidb:4563"],
    ["Show {mal-1}", "Show", "mal:1"],
    ["Show [MAL 1]", "Show", "mal:1"],
    ["Show {anilist-21}", "Show", "anilist:21"],
    ["Show {imdb-tt0123456}", "Show", "imdb:tt0123456"],
    ["Film [tmdbid=77]", "Film", "tmdb-tv:77 tmdb-movie:77"],
    ["Show {tvdb-1} [anidb-2]", "Show", "tvdb:1 anidb:2"],
    ["Show {imdb-123}", "Show {imdb-123}", ""],
    ["Show {tvdb-0}", "Show {tvdb-0}", ""],
    ["Show [malus-5]", "Show [malus-5]", ""],
    ["Show [1080p]", "Show [1080p]", ""],
  ])("%s", (name, rest, ids) => {
    expect(takeIds(name).text).toBe(rest);
    expect(text(takeIds(name).ids)).toBe(ids);
  });

  test("the id nearest to the film counts, and an id is never read as a number or word of the name", () => {
    const { ids, readings } = readFilmName("Series {tvdb-5}/Show [anidb-9]/Season 1/Show - 03.mkv");
    expect(text(ids)).toBe("anidb:9");
    expect(readings[0]).toMatchObject({ title: "Show", season: 1, first: 3 });
    expect(readFilmName("Show {tvdb-5}/02.mkv").readings[0]).toMatchObject({ title: "Show", first: 2 });
  });
});

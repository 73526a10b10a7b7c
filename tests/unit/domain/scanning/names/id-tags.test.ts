import { describe, expect, test } from "vitest";
import { idsOfNotes } from "#app/domain/scanning/matching/folder-notes.server.ts";
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

describe("idsOfNotes", () => {
  test.each([
    [
      '<tvshow><uniqueid type="TVDB">5</uniqueid><uniqueid type="imdb">tt0123456</uniqueid></tvshow>',
      "tvdb:5 imdb:tt0123456",
    ],
    ["<movie><tmdbid> 7 </tmdbid><anidbid>8</anidbid></movie>", "tmdb-tv:7 tmdb-movie:7 anidb:8"],
    ["<tvshow><actor><tvdbid>5</tvdbid></actor></tvshow>", ""],
    ['<tvshow><uniqueid type="constructor">5</uniqueid><tvdbid>6</tvdbid></tvshow>', "tvdb:6"],
    ["<episodedetails><tvdbid>5</tvdbid></episodedetails>", ""],
    ["<tvshow><tvdbid>5</tvdbid></tvshow>\nhttps://example.org/?a=1&b=2", "tvdb:5"],
    ["<tvshow><tvdbid>5</tvdbid><broken", "tvdb:5"],
    ['<!DOCTYPE tvshow [<!ENTITY a "5">]><tvshow><tvdbid>&a;</tvdbid></tvshow>', ""],
    ["<tvshow><tvdbid>&a;</tvdbid><tvdbid>5</tvdbid></tvshow>", ""],
    ["<tvshow><tvdbid>5; drop table</tvdbid></tvshow>", ""],
    [`<tvshow>${"<a>".repeat(50_000)}`, ""],
    ["https://example.org/", ""],
    ["", ""],
  ])("%#", (xml, ids) => {
    expect(text(idsOfNotes(xml))).toBe(ids);
  });
});

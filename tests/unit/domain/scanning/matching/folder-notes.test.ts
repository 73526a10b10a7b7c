import { expect, test } from "vitest";
import { idsOfElement } from "#app/domain/scanning/matching/folder-notes.server.ts";
import { elementsOfNotes } from "#app/domain/scanning/notes.server.ts";

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
])("the ids of notes: %#", (xml, ids) => {
  const found = elementsOfNotes(xml).flatMap(idsOfElement);
  expect(found.map(({ site, id }) => `${site}:${id}`).join(" ")).toBe(ids);
});

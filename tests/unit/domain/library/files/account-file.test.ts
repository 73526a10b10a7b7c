import { expect, test } from "vitest";
import { readAccountFile } from "#app/domain/library/files/parse-list-file.server.ts";
import { maxFavoriteStudios, maxFavoriteTitles, maxStudioLength } from "#app/domain/profile/profile.ts";
import { withScratchFile } from "#tests/support/data/read-list-text.ts";

test("the longest lists that a profile can have are read from its file", async () => {
  const numbers = (first: number) => Array.from({ length: maxFavoriteTitles }, (_, index) => first + index);
  const studios = Array.from({ length: maxFavoriteStudios }, (_, index) =>
    `${index}`.padEnd(maxStudioLength, "響"),
  );
  const profile = {
    favorite_animes: numbers(900_100_000),
    watched_animes: numbers(900_200_000),
    favorite_studios: studios,
    favorite_genres: ["Action"],
  };
  const file = JSON.stringify({ format: "engawa-account", version: 1, profile, watch_list: [] }, null, 1);
  const read = await withScratchFile((scratch) => readAccountFile([Buffer.from(file)], scratch));
  if (!read.ok) throw new Error(read.message);
  const { favoriteAnimes, watchedAnimes, favoriteStudios, favoriteGenres } = read.value.profile;
  expect([favoriteAnimes.length, watchedAnimes.length]).toEqual([maxFavoriteTitles, maxFavoriteTitles]);
  expect(favoriteStudios.length).toBe(maxFavoriteStudios);
  expect(favoriteGenres).toEqual(["Action"]);
});

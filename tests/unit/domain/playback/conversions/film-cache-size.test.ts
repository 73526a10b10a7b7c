import { expect, test } from "vitest";
import { filmCacheSize } from "#app/domain/playback/conversions/film-cache-size.ts";
import { mebibytes } from "#app/platform/units.ts";

test.each([
  ["a full disk", 0, 2048],
  ["a small disk", mebibytes(4000), 2048],
  ["a disk of 60 GiB", mebibytes(60 * 1024), 15 * 1024],
  ["a large disk", mebibytes(4_000_000), 32 * 1024],
  ["a disk that does not say what is free", Number.POSITIVE_INFINITY, 2048],
])("without FILM_CACHE_SIZE, %s gives the film cache its share", (_, roomBytes, mebibyteCount) => {
  expect(filmCacheSize(roomBytes)).toBe(mebibytes(mebibyteCount));
});

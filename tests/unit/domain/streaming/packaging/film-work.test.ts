import { appendFileSync, statSync, truncateSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { withFilmFile } from "#app/domain/streaming/packaging/film-work.ts";
import { temporaryFolder } from "#tests/support/setup/temporary-folder.ts";

const folder = temporaryFolder("film-work");
function versionOf(file: string) {
  const { size, mtimeMs } = statSync(file);
  return { file, size, modifiedMs: Math.trunc(mtimeMs) };
}

test.each<[string, (file: string) => void]>([
  ["cut off", (file) => truncateSync(file, 10)],
  ["continued", (file) => appendFileSync(file, "more")],
  ["overwritten", (file) => utimesSync(file, 1, 1)],
])("a film that is %s while it is read, then what was read of it is refused", async (_, change) => {
  const file = join(folder, "film.mkv");
  writeFileSync(file, "a film of some bytes");
  await expect(
    withFilmFile(versionOf(file), async (film) => {
      change(file);
      return film.read(0, 20);
    }),
  ).rejects.toThrow("the film has changed");
});

test("a read that fails, then the work fails, even if it took the failure for the end of the film", async () => {
  // A folder can be opened, but not read.
  await expect(
    withFilmFile(versionOf(folder), async (film) => {
      try {
        return film.read(0, 20);
      } catch {
        return null;
      }
    }),
  ).rejects.toThrow("EISDIR");
});

import { appendFileSync, statSync, truncateSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test, vi } from "vitest";
import { DamagedFilm } from "#app/media/film/film-bytes.ts";
import { withFilmFile, workOnFilm } from "#app/media/film-work/film-work.ts";
import { unpackKeyFrames } from "#app/media/segments/key-frames.ts";
import {
  block,
  cluster,
  element,
  filmOf,
  ids,
  line,
  picture,
  subtitles,
} from "#tests/support/data/matroska-bytes.ts";
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
])("the result is refused if a film is %s while it is read", async (_, change) => {
  const file = join(folder, "film.mkv");
  writeFileSync(file, "a film of some bytes");
  await expect(
    withFilmFile(versionOf(file), async (film) => {
      change(file);
      return film.read(0, 20);
    }),
  ).rejects.toThrow("the film has changed");
});

test("a failed read fails the whole work, even if the work took the failure for the end of the film", async () => {
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

test("a read of more bytes than any packet of a film has is refused", async () => {
  const file = join(folder, "sparse.mkv");
  writeFileSync(file, "a film of some bytes");
  truncateSync(file, 200 * 1024 * 1024);
  const reading = withFilmFile(versionOf(file), async (film) => film.read(0, film.size).length);
  await expect(reading).rejects.toThrow(DamagedFilm);
});

test.each([
  ["IDR pictures", 0x65, false],
  ["other pictures", 0x61, true],
])(
  "the index of a film whose key frames are %s says whether groups of pictures are open",
  async (_, type, isOpen) => {
    const key = [0, 0, 0, 3, type, 1, 1];
    const file = join(folder, "no-index.mkv");
    const clusters = [0, 1000, 2000].map((ticks) => cluster(ticks, block(1, 0, true, key)));
    writeFileSync(file, filmOf(element(ids.tracks, picture), ...clusters));
    const { answer } = await workOnFilm({ kind: "index", ...versionOf(file), at: null });
    expect(answer).toMatchObject({ kind: "indexed", next: null, hasOpenGroups: isOpen });
  },
);

test("the index of a film begins before the sound that is stored before its first picture", async () => {
  const file = join(folder, "sound-first.mkv");
  const tracks = element(ids.tracks, picture);
  const clusters = [
    cluster(0, block(2, 0, true)),
    cluster(0, block(1, 5, true)),
    cluster(9, block(1, 0, true)),
  ];
  const film = filmOf(tracks, ...clusters);
  writeFileSync(file, film);
  const { parts } = await workOnFilm({ kind: "index", ...versionOf(file), at: null });
  const places = unpackKeyFrames(Buffer.concat(parts)).map(({ at }) => film.length - at);
  const lengths = clusters.map(({ length }) => length);
  expect(places).toEqual([lengths.reduce((sum, length) => sum + length), lengths[2]]);
});

test.each([
  ["its tracks", filmOf(element(ids.info))],
  ["its first cluster", filmOf(element(ids.tracks, picture))],
])("a Matroska that ends before %s counts as damaged", async (_, bytes) => {
  const file = join(folder, "head.mkv");
  writeFileSync(file, bytes);
  const { answer } = await workOnFilm({ kind: "inspect", file });
  expect(answer).toMatchObject({ kind: "inspected", inspection: { container: "other", obstacle: null } });
});

test("the time of a part of the subtitles begins when the film is open", async () => {
  const file = join(folder, "subtitles.mkv");
  const clusters = [0, 1000].map((ticks) => cluster(ticks, line({ ticks: 0, text: "Rain" })));
  writeFileSync(file, filmOf(element(ids.tracks, picture, subtitles("S_TEXT/UTF8")), ...clusters));
  const clock = vi.spyOn(performance, "now").mockReturnValueOnce(0).mockReturnValue(60_000);
  const order = { kind: "lines" as const, ...versionOf(file), track: 3, from: null };
  const { answer } = await workOnFilm(order).finally(() => clock.mockRestore());
  expect(answer).toMatchObject({ kind: "lines", next: null });
});

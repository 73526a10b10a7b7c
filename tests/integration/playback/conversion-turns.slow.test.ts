import { chmodSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, beforeEach, expect, test } from "vitest";
import { temporaryFolder } from "#tests/support/setup/temporary-folder.ts";

/** Several viewers share the only converter of the site. A script stands in for ffmpeg and takes a moment for each segment. */

const folder = temporaryFolder("turns");
const program = join(folder, ".ffmpeg");
const starts = join(folder, ".starts");
/** While this file exists, conversions start but write no segment. */
const held = join(folder, ".held");

Object.assign(process.env, { MEDIA_DIR: folder, FFMPEG: program, CONVERSIONS: "1" });
writeFileSync(program, "");
chmodSync(program, 0o755);
const { block, cluster, cue, element, filmOf, header, idBytes, ids, picture } = await import(
  "#tests/support/data/matroska-bytes.ts"
);
const { newAddress, request } = await import("#tests/support/site/in-process.ts");
const { importTitles } = await import("#tests/support/data/import-titles.ts");
const { registerFilm } = await import("#tests/support/data/film-of-episode.ts");

/** The film has ten segments of seven seconds. */
const duration = Buffer.alloc(4);
duration.writeFloatBE(70_000);
const clusters = Array.from({ length: 10 }, (_, index) => cluster(7000 * index, block(1, 0, true)));
const tracks = Buffer.concat([
  element(ids.info, element(ids.duration, duration)),
  element(ids.tracks, picture),
]);
const cuesAt = (first: number) =>
  element(
    ids.cues,
    ...clusters.map((_, index) => cue(7000 * index, first + index * (clusters[0]?.length ?? 0))),
  );
const film = filmOf(tracks, cuesAt(tracks.length + cuesAt(0).length), ...clusters);

const unknownSize = Buffer.from([0x01, 255, 255, 255, 255, 255, 255, 255]);
writeFileSync(join(folder, ".head"), Buffer.concat([header, idBytes(ids.segment), unknownSize, tracks]));
for (const [index, bytes] of clusters.entries()) writeFileSync(join(folder, `.cluster-${index}`), bytes);
writeFileSync(
  program,
  `#!/bin/sh
for argument; do [ "$option" = -force_key_frames ] && times=$argument; option=$argument; done
# Without times of key frames, the site only looks at the picture.
[ -n "$times" ] || exit
first=$((9 - $(printf %s "$times" | tr -cd , | wc -c)))
echo $first >> ${starts}
cat ${folder}/.head
while [ -e ${held} ]; do sleep 0.02; done
for at in $(seq $first 9); do cat ${folder}/.cluster-$at; sleep 0.1; done
`,
);
let episode = 0;
beforeAll(async () => {
  await importTitles([{ kind: "title", mal_id: 1, title: "Cowboy Bebop", type: "TV", episodes: 26 }]);
});
beforeEach(() => writeFileSync(starts, ""));

const startedAt = () => readFileSync(starts, "utf8").split("\n").filter(Boolean).map(Number);
const places = (first: number, last: number) =>
  Array.from({ length: last - first + 1 }, (_, index) => first + index);

/**
 * Requests the segments as a player does, repeating a request that was refused. Returns the start of each segment in
 * seconds.
 */
async function watch(path: string, wanted: readonly number[], address: string) {
  const begins: number[] = [];
  for (const sequence of wanted)
    for (;;) {
      const response = await request(`${path}h-${sequence}.m4s`, { address });
      const bytes = Buffer.from(await response.arrayBuffer());
      if (response.status === 200) {
        // Pictures are decoded a quarter of a second before they are shown.
        begins.push(Math.round(Number(bytes.readBigUInt64BE(bytes.indexOf("tfdt") + 8)) / 90_000));
        break;
      }
      expect([response.status, response.headers.get("Retry-After")]).toEqual([503, expect.any(String)]);
    }
  return begins;
}

const newFilm = () => {
  episode++;
  return registerFilm(folder, film, episode);
};

test.each([
  ["behind one address", () => [newAddress()].flatMap((one) => [one, one])],
  ["of two addresses", () => [newAddress(), newAddress()]],
])("two viewers %s at different positions of a film take turns, and both see it", async (_, addresses) => {
  const path = await newFilm();
  const [one = "", other = ""] = addresses();
  const [first, second] = await Promise.all([
    watch(path, places(0, 4), one),
    watch(path, places(5, 9), other),
  ]);
  expect(first).toEqual([0, 7, 14, 21, 28]);
  expect(second).toEqual([35, 42, 49, 56, 63]);
});

test("two viewers near the same position share one conversion", async () => {
  const path = await newFilm();
  const address = newAddress();
  const first = watch(path, places(0, 8), address);
  // If the second viewer had started a conversion, it would have begun at that viewer's position.
  await expect.poll(startedAt).toEqual([0]);
  const second = watch(path, places(1, 8), address);
  expect([(await first).length, (await second).length]).toEqual([9, 8]);
  expect(startedAt()).toEqual([0]);
});

test("a viewer who seeks does not wait for the conversion at the old position", async () => {
  const path = await newFilm();
  const address = newAddress();
  // Otherwise the cache could answer the second request for segment 0.
  writeFileSync(held, "");
  for (const sequence of [0, 4, 1, 5, 0]) {
    const left = new AbortController();
    const asked = request(`${path}h-${sequence}.m4s`, { address, signal: left.signal });
    await expect.poll(() => startedAt().at(-1)).toBe(sequence);
    left.abort();
    await asked.catch(() => {});
  }
  const last = watch(path, [8], address);
  await expect.poll(() => startedAt().at(-1)).toBe(8);
  rmSync(held);
  expect(await last).toEqual([56]);
  expect(startedAt()).toEqual([0, 4, 1, 5, 0, 8]);
});

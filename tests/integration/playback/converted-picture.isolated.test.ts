import { chmodSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { expect, test } from "vitest";
import { whenFree } from "#tests/support/requests/when-free.ts";
import { temporaryFolder } from "#tests/support/setup/temporary-folder.ts";

/** ffmpeg converts pictures. A script stands in for it here, because not every machine has ffmpeg. */

const folder = temporaryFolder("converted");
const program = join(folder, ".ffmpeg");
function convertWith(script: string) {
  writeFileSync(program, `#!/bin/sh\n${script}\n`);
  chmodSync(program, 0o755);
}
const written = resolve("tests/fixtures/films/dolby-converted.mkv");
/** This script prints what ffmpeg writes for the film. */
const works = `cat ${written}`;
convertWith(works);
Object.assign(process.env, { MEDIA_DIR: folder, FFMPEG: program, CONVERSIONS: "1" });
const { request } = await import("#tests/support/site/in-process.ts");
const { importTitles } = await import("#tests/support/data/import-titles.ts");
const { registerFilm } = await import("#tests/support/data/film-of-episode.ts");

await importTitles([{ kind: "title", mal_id: 1, title: "Cowboy Bebop", type: "TV", episodes: 26 }]);
const films: string[] = [];
for (const episode of [1, 2, 3, 4]) films.push(await registerFilm(folder, "dolby.mkv", episode));

async function bytesOf(path: string) {
  const answer = await whenFree(() => request(path));
  return Buffer.from(await answer.arrayBuffer());
}

test("a converted picture has the same segments as the film, and a description", async () => {
  const [film] = films;
  expect(await (await request(`${film}main-h.m3u8`)).text()).toContain('CODECS="avc1.64002A,ac-3"');
  expect((await bytesOf(`${film}h.mp4`)).indexOf("avcC")).toBeGreaterThan(0);
  const starts = [];
  for (const sequence of [0, 1, 2]) {
    const bytes = await bytesOf(`${film}h-${sequence}.m4s`);
    starts.push(Math.round(Number(bytes.readBigUInt64BE(bytes.indexOf("tfdt") + 8)) / 9000) / 10);
  }
  // Pictures are decoded a quarter of a second before they are shown.
  expect(starts).toEqual([0, 5.8, 11.8]);
});

test("when a converter dies in the middle of a segment, the request gets an error, nothing is cached, and the next request succeeds", async () => {
  const [, film] = films;
  convertWith(`head -c 9000 ${written}; kill -9 $$`);
  const refused = await request(`${film}h-0.m4s`);
  expect(refused.status).toBe(500);
  expect(await refused.json()).toMatchObject({ error: "This part of the film cannot be converted" });
  convertWith(works);
  const bytes = await bytesOf(`${film}h-0.m4s`);
  expect(bytes.subarray(4, 8).toString()).toBe("styp");
});

test("a film waits while another one is converted, and its viewer is told the queue position", async () => {
  convertWith("exec sleep 60");
  const left = new AbortController();
  const both = films.slice(2).map((film) => request(`${film}h-0.m4s`, { signal: left.signal }));
  const waiting = await Promise.race(both);
  expect(waiting.status).toBe(503);
  expect(((await waiting.json()) as { error: string }).error).toContain("Its place in the queue is 1.");
  expect(Number(waiting.headers.get("Retry-After"))).toBeGreaterThan(0);
  left.abort();
  await Promise.allSettled(both);
});

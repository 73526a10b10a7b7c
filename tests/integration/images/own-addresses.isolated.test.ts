import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import sharp from "sharp";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { transportStream } from "#tests/support/data/film-bytes.ts";

/**
 * URLs of this site that a client gives to one of the proxies. Wherever the answer is stored (the public cache, a file in
 * memory, a file on disk or nowhere), the proxy sends the same bytes as the address itself.
 */

const folder = mkdtempSync(join(tmpdir(), "engawa-own-"));
process.env.MEDIA_DIR = folder;
// Answers in the public cache are one of the kinds.
process.env.PUBLIC_CACHE = "1";
const { request, origin } = await import("#tests/support/site/in-process.ts");
const { db } = await import("#db/client.server.ts");
const { titles } = await import("#db/schema/catalog.ts");

const title = 6;
const film = transportStream(4000);

beforeAll(async () => {
  await db.insert(titles).values([{ malId: title, title: "Lantern Street", titleKey: "lantern street" }]);
  mkdirSync(join(folder, "Show"));
  writeFileSync(join(folder, "Show/01.ts"), film);
  writeFileSync(join(folder, "Show/02.ts"), "");
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const bytesOf = async (response: Response) => Buffer.from(await response.arrayBuffer());
const image = (path: string, query: string) =>
  request(`/api/proxy?${query}&url=${encodeURIComponent(origin + path)}`);
const video = (path: string, init: RequestInit = {}) =>
  request(`/api/videoProxy?url=${encodeURIComponent(origin + path)}`, init);

const posterWidths = Array.from({ length: 15 }, (_, step) => 80 * (step + 1));
/** The smaller half of these has less than 16 KiB, and the largest has several times as much. */
const posters = [
  ...posterWidths.map((w) => `/poster/${title}.webp?w=${w}`),
  ...[`/poster/${title}.webp`, `/poster/${title}t.webp`, `/poster/${title}l.webp`],
  ...[`/poster/${title}t.jpg`, `/poster/${title}.jpg`, `/poster/${title}l.jpg`],
];

describe.each(posters)("%s", (path) => {
  test("the image proxy and the video proxy send it both before and after it is cached", async () => {
    const fresh = await image(path, "w=61");
    expect([fresh.status, fresh.headers.get("content-type")]).toEqual([200, "image/webp"]);
    expect(await sharp(await bytesOf(fresh)).metadata()).toMatchObject({ width: 61 });

    const direct = await request(path);
    const poster = await bytesOf(direct);
    const { width = 0 } = await sharp(poster).metadata();
    for (const w of [0, 1, 40, width - 1, width, 4096]) {
      const kept = await image(path, `w=${w}`);
      expect([w, kept.status]).toEqual([w, 200]);
      const expected = w === 0 || w > width ? width : w;
      expect(await sharp(await bytesOf(kept)).metadata()).toMatchObject({ width: expected });
    }
    expect((await image(path, "w=60&format=avif")).status).toBe(200);

    const proxied = await video(path);
    expect(proxied.status).toBe(200);
    expect((await bytesOf(proxied)).equals(poster)).toBe(true);
  });
});

const smallest = `/poster/${title}.webp?w=80`;
const largest = `/poster/${title}.webp?w=1200`;

test.each([
  ["a poster of a few KiB from the public cache", smallest],
  ["a poster of many KiB from the public cache", largest],
  ["a file of the site in memory", "/film/1/360p/000.m4s"],
  ["a file of the site on disk", "/film/1/film.webm"],
  ["a file of the media folder", "/media/Show/01.ts"],
])("the video proxy answers HEAD, ranges and tags for %s as for any other server", async (_kind, path) => {
  const direct = await request(path);
  const whole = await bytesOf(direct);
  const length = String(whole.length);

  const head = await video(path, { method: "HEAD" });
  expect([head.status, head.headers.get("content-length"), (await bytesOf(head)).length]).toEqual([
    200,
    length,
    0,
  ]);
  const part = await video(path, { headers: { Range: "bytes=10-109" } });
  expect([part.status, part.headers.get("content-range")]).toEqual([206, `bytes 10-109/${length}`]);
  expect((await bytesOf(part)).equals(whole.subarray(10, 110))).toBe(true);
  const last = await video(path, { headers: { Range: "bytes=-7" } });
  expect([last.status, (await bytesOf(last)).equals(whole.subarray(-7))]).toEqual([206, true]);
  const beyond = await video(path, { headers: { Range: `bytes=${length}-` } });
  expect(beyond.status).toBe(416);

  const again = await video(path);
  const tag = again.headers.get("etag") ?? "";
  expect((await bytesOf(again)).equals(whole)).toBe(true);
  expect(tag).toBe(direct.headers.get("etag"));
  const unchanged = await video(path, { headers: { "If-None-Match": tag } });
  expect([unchanged.status, (await bytesOf(unchanged)).length]).toEqual([304, 0]);
  const otherTag = await video(path, { headers: { Range: "bytes=0-9", "If-Range": '"other"' } });
  expect([otherTag.status, (await bytesOf(otherTag)).length]).toEqual([200, whole.length]);
});

test("an empty file gets an empty answer from the video proxy, and is no image", async () => {
  const empty = await video("/media/Show/02.ts");
  expect([empty.status, empty.headers.get("content-length"), (await bytesOf(empty)).length]).toEqual([
    200,
    "0",
    0,
  ]);
  const refused = await image("/media/Show/02.ts", "w=61");
  expect([refused.status, (await refused.json()).error]).toEqual([
    400,
    "This is not an image that can be read",
  ]);
});

test("a still of the site goes through both proxies", async () => {
  const path = "/film/1/still.webp";
  const still = await bytesOf(await request(path));
  expect((await bytesOf(await video(path))).equals(still)).toBe(true);
  expect((await image(path, "w=61")).status).toBe(200);
});

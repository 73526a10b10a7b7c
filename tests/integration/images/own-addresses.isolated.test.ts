import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, expect, test } from "vitest";
import { transportStream } from "#tests/support/data/film-bytes.ts";
import { bytesOf } from "#tests/support/requests/response-data.ts";
import { temporaryFolder } from "#tests/support/setup/temporary-folder.ts";

/**
 * URLs of this site that a client gives to one of the proxies. Wherever the answer is stored (the public cache, a file in
 * memory, a file on disk or nowhere), the proxy sends the same bytes as the address itself.
 */

const folder = temporaryFolder("own");
process.env.MEDIA_DIR = folder;
// Answers in the public cache are one of the kinds.
process.env.PUBLIC_CACHE = "1";
const { request } = await import("#tests/support/site/in-process.ts");
const { addTitle, image, testPostersThroughProxies, title, video } = await import(
  "#tests/support/scaled/proxied-posters.ts"
);

const film = transportStream(4000);

beforeAll(async () => {
  await addTitle();
  mkdirSync(join(folder, "Show"));
  writeFileSync(join(folder, "Show/01.ts"), film);
  writeFileSync(join(folder, "Show/02.ts"), "");
});

const smallest = `/poster/${title}.webp?w=80`;
const largest = `/poster/${title}.webp?w=1200`;

/** Posters of a few KiB and of many, and every other kind of name. tests/release has all widths. */
testPostersThroughProxies([
  ...[smallest, largest],
  ...[`/poster/${title}.webp`, `/poster/${title}t.webp`, `/poster/${title}l.webp`],
  ...[`/poster/${title}t.jpg`, `/poster/${title}.jpg`, `/poster/${title}l.jpg`],
]);

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

test.each([
  ["two slashes", "//", 400],
  ["an encoded NUL", "/media/Show/a%00.ts", 400],
  ["bad percent-encoding", "/media/Show/%zz.ts", 400],
  ["a percent-encoded line feed", "/media/Show/%0a.ts", 400],
  ["too many segments", `/media${"/a".repeat(300)}`, 400],
  ["two slashes before a folder", "//media/Show/01.ts", 404],
])("both proxies refuse an address of the site with %s", async (_name, path, status) => {
  expect((await video(path)).status).toBe(status);
  expect((await image(path, "w=61")).status).toBe(status);
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

import { expect, test } from "vitest";
import { startUpstream } from "#tests/support/servers/upstream.ts";

process.env.RATE_LIMIT_PLAYLIST_SECONDS = "1";
process.env.ALLOW_PRIVATE_UPSTREAMS = "127.0.0.1";
const { request, newAddress } = await import("#tests/support/site/in-process.ts");

/** Playlists of several megabytes, which take long to rewrite. tests/load asks for six of them at once. */

const mebibyte = 1024 * 1024;
const fill = (line: string, bytes: number) => line.repeat(Math.floor(bytes / line.length));
const playlists: Record<string, string> = {
  // This playlist consists of attributes, which take longest to rewrite.
  "/attributes.m3u8": `#EXTM3U\n${fill('#EXT-X-MEDIA:A=11,B=22,C=33,D=44,URI=""\n', 4 * mebibyte)}`,
  // Each line grows to a hundred characters.
  "/grows.m3u8": `#EXTM3U\n${fill("#EXTINF:4,\na.ts\n", 5 * mebibyte - 100)}`,
  "/long.m3u8": `#EXTM3U\n${Array.from({ length: 20_000 }, (_, at) => `#EXTINF:2,\nfilm/${at}.ts?token=abc\n`).join("")}#EXT-X-ENDLIST\n`,
};
playlists["/short.m3u8"] = `#EXTM3U\n${playlists["/long.m3u8"]?.slice(-50)}`;
const upstream = await startUpstream(({ url }, response) =>
  response.end(playlists[url?.replace(/\?.*/, "") ?? ""] ?? "#EXTM3U\n#EXTINF:4,\na.ts\n"),
);
const proxy = (path: string, address = newAddress()) =>
  request(`/api/videoProxy?url=${encodeURIComponent(upstream.origin + path)}`, { address });

test("a long playlist rewritten by the thread gets the same answer as a short one rewritten by the process", async () => {
  const response = await proxy("/long.m3u8");
  expect(response.headers.get("content-type")).toBe("application/vnd.apple.mpegurl");
  expect(response.headers.get("etag")).toMatch(/^"[\w-]{22}"$/);
  const lines = (await response.text()).split("\n");
  expect(lines.length).toBe(playlists["/long.m3u8"]?.split("\n").length);
  const short = (await (await proxy("/short.m3u8")).text()).split("\n");
  expect(short.at(-3)).toContain(encodeURIComponent(`${upstream.origin}/film/19999.ts?token=abc`));
  expect(lines.slice(-4)).toEqual(short.slice(-4));
});

test("a playlist that would grow too large gets 500", async () => {
  const response = await proxy("/grows.m3u8");
  expect([response.status, await response.json()]).toEqual([
    500,
    { error: expect.stringContaining("grows too much"), status: 500 },
  ]);
});

test("a client that has used up its time gets 503 with the time to wait, and another client is served", async () => {
  const address = newAddress();
  const statuses: number[] = [];
  let refused = await proxy("/attributes.m3u8?again0", address);
  for (let at = 1; at < 9 && refused.status !== 503; at++) {
    statuses.push(refused.status);
    refused = await proxy(`/attributes.m3u8?again${at}`, address);
  }
  expect(new Set(statuses)).toEqual(new Set([200]));
  expect(refused.status).toBe(503);
  expect(Number(refused.headers.get("Retry-After"))).toBeGreaterThanOrEqual(1);
  expect((await proxy("/small.m3u8", address)).status).toBe(503);
  expect((await proxy("/small.m3u8?2")).status).toBe(200);
});

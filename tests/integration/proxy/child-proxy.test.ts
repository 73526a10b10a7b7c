import { eq } from "drizzle-orm";
import { expect, test, vi } from "vitest";
import { createSource } from "#app/domain/playback/playback.server.ts";
import { db } from "#db/client.server.ts";
import { users } from "#db/schema/accounts.ts";
import { transportStream } from "#tests/support/data/film-bytes.ts";
import { importTitles } from "#tests/support/data/import-titles.ts";
import { newChild } from "#tests/support/requests/household.ts";
import { startUpstream } from "#tests/support/servers/upstream.ts";
import { request } from "#tests/support/site/in-process.ts";

/** The video proxy plays for a child's session only the URLs that its watch page and the playlists behind it name. */

type Browser = Awaited<ReturnType<typeof newChild>>["child"];
const film = transportStream(40);
const playlists: Record<string, string> = {
  "/show/master.m3u8": "#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=1000\nlow/main.m3u8\n",
  "/show/low/main.m3u8":
    "#EXTM3U\n#EXT-X-TARGETDURATION:4\n#EXTINF:4,\n0.ts\n#EXTINF:4,\n1.ts\n#EXT-X-ENDLIST\n",
};
const server = await startUpstream(({ url = "" }, response) => response.end(playlists[url] ?? film));
const registered = `${server.origin}/show/master.m3u8`;

await importTitles([{ kind: "title", mal_id: 1, title: "Companion", rating: "g", episodes: 1 }]);
await createSource({ malId: 1, episode: 1, url: registered });

const proxied = (url: string) => `/api/videoProxy?url=${encodeURIComponent(url)}`;

/** The URLs to which the page or playlist at `path` leads the player. */
async function addressesAt(path: string, browser: Browser): Promise<string[]> {
  const text = (await (await browser.request(path)).text())
    .replaceAll("\\u0026", "&")
    .replaceAll("&amp;", "&");
  return [...text.matchAll(/\/api\/videoProxy\?url=[^"\s\\<]+/g)].map(([address]) => address);
}
const statusOf = async (path: string, browser: Browser) => (await browser.request(path)).status;

test("a child can play everything that its page names, down to the last segment, and no shared cache stores it", async () => {
  const { child } = await newChild("pg");
  const [master = ""] = await addressesAt("/watch/1/1", child);
  const [main = ""] = await addressesAt(master, child);
  const segments = await addressesAt(main, child);
  expect(segments).toHaveLength(2);
  for (const path of [master, main, ...segments]) {
    const answer = await child.request(path);
    expect([path, answer.status]).toEqual([path, 200]);
    expect(answer.headers.get("Cache-Control"), path).not.toContain("public");
  }
  const listed = await child.request("/api/episodes/getEpisode?mal_id=1&ep=1");
  const { data } = (await listed.json()) as { data: { sources: { url: string }[] } };
  const { pathname, search } = new URL(data.sources[0]?.url ?? "http://none.test");
  expect(await statusOf(pathname + search, child)).toBe(200);
});

test("a child gets no other URL, even of the same server, while grown-ups and visitors do", async () => {
  const { child, owner } = await newChild("pg");
  const [master = ""] = await addressesAt("/watch/1/1", child);
  const signature = new URLSearchParams(master.split("?")[1]).get("child") ?? "";
  const others = [registered, `${server.origin}/show/low/0.ts`, `${server.origin}/another/film.mp4`];
  for (const url of others) {
    const plain = proxied(url);
    expect([url, await statusOf(plain, child)]).toEqual([url, 404]);
    expect([url, await statusOf(plain, owner as unknown as Browser)]).toEqual([url, 200]);
    expect([url, (await request(plain)).status]).toEqual([url, 200]);
    if (url !== registered) expect(await statusOf(`${plain}&child=${signature}`, child), url).toBe(404);
  }
  expect(await statusOf(`${proxied(registered)}&child=${signature}`, child)).toBe(200);
  expect(await statusOf(`${proxied(registered)}&define=a%3Db&child=${signature}`, child)).toBe(404);
});

test("a URL that was signed for one child does not work for another", async () => {
  const [one, other] = [await newChild("pg"), await newChild("pg")];
  const [master = ""] = await addressesAt("/watch/1/1", one.child);
  expect([await statusOf(master, one.child), await statusOf(master, other.child)]).toEqual([200, 404]);
});

test("a signed URL stops working when the child may no longer see the title, also with the number of another", async () => {
  const title = { kind: "title" as const, mal_id: 3, title: "Rated anew", rating: "g" as const, episodes: 1 };
  await importTitles([title]);
  await createSource({ malId: 3, episode: 1, url: registered });
  const { child } = await newChild("pg");
  const [master = ""] = await addressesAt("/watch/3/1", child);
  expect(await statusOf(master, child)).toBe(200);
  await importTitles([{ ...title, rating: "r" }]);
  expect(await statusOf(master, child)).toBe(404);
  expect(master).toContain("child=3.");
  expect(await statusOf(master.replace("child=3.", "child=1."), child)).toBe(404);
});

test("a forged mark of a child's session gets what a visitor gets", async () => {
  await importTitles([{ kind: "title", mal_id: 2, title: "Mature", rating: "rx", episodes: 1 }]);
  const url = `${server.origin}/mature.mp4`;
  await createSource({ malId: 2, episode: 1, url });
  const forged = Buffer.from('{"secret":"x","restricted":true}').toString("base64");
  const answer = await request(proxied(url), { headers: { Cookie: `engawa-session=${forged}.AAAA` } });
  expect([answer.status, (await request(proxied(url))).status]).toEqual([200, 200]);
});

test.each<[string, (id: string) => Promise<unknown>]>([
  ["the generation is raised", (id) => db.update(users).set({ filmGeneration: 7 }).where(eq(users.id, id))],
  [
    "four days have passed",
    async () => void vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + 4 * 24 * 3_600_000 }),
  ],
])("a signed URL stops working when %s", async (_what, end) => {
  const { child } = await newChild("pg");
  const [master = ""] = await addressesAt("/watch/1/1", child);
  expect(await statusOf(master, child)).toBe(200);
  await end(child.id);
  expect(await statusOf(master, child)).toBe(404);
});

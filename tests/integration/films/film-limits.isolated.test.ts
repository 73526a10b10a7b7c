import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { expect, test, vi } from "vitest";
import { transportStream } from "#tests/support/data/film-bytes.ts";
import { inThrees } from "#tests/support/requests/in-threes.ts";
import { temporaryFolder } from "#tests/support/setup/temporary-folder.ts";

/** The limits of film requests for one viewer, and how long an answer continues after the viewer loses access. */

const folder = temporaryFolder("limits");
process.env.MEDIA_DIR = folder;
process.env.FILMS = "members";
process.env.RATE_LIMIT_POINTS = "20";
// On a slow machine, a minute could end between the requests of a test.
process.env.RATE_LIMIT_SECONDS = "86400";
const { newAddress, origin: localOrigin, request } = await import("#tests/support/site/in-process.ts");
const { contextOfClient } = await import("#tests/support/requests/client-context.ts");
const { newMember, openSession, Visitor } = await import("#tests/support/requests/visitor.ts");
const { addProfile, anotherBrowserOf, switchTo } = await import("#tests/support/requests/household.ts");
const { requireFilm } = await import("#app/access/film-door.server.ts");
const { importTitles } = await import("#tests/support/data/import-titles.ts");
const { lockTables } = await import("#tests/support/database/lock-tables.ts");
const { createSource } = await import("#app/domain/playback/playback.server.ts");
const { db } = await import("#db/client.server.ts");
const { users } = await import("#db/schema/accounts.ts");
const { films } = await import("#db/schema/films.ts");
const { eq, like } = await import("drizzle-orm");

const maxRequests = 120;
const film = transportStream(30_000);
const folderPlaylist = "#EXTM3U\n#EXT-X-TARGETDURATION:4\n#EXTINF:4,\n0.ts\n#EXT-X-ENDLIST\n";

for (const name of ["plain", "plain-hls", "adult", "adult-hls", "other"]) mkdirSync(join(folder, name));
writeFileSync(join(folder, "plain", "1.mp4"), film);
writeFileSync(join(folder, "adult", "1.mp4"), film);
writeFileSync(join(folder, "adult-hls", "main.m3u8"), folderPlaylist);
writeFileSync(join(folder, "adult-hls", "0.ts"), film.subarray(0, 1880));
writeFileSync(join(folder, "plain-hls", "0.ts"), film.subarray(0, 1880));
writeFileSync(
  join(folder, "plain-hls", "main.m3u8"),
  folderPlaylist.replace(
    "0.ts",
    ["0.ts", "../adult-hls/0.ts", "linked.ts", "way/0.ts", "again.ts"].join("\n#EXTINF:4,\n"),
  ),
);
symlinkSync(join(folder, "adult-hls", "0.ts"), join(folder, "plain-hls", "linked.ts"));
symlinkSync(join(folder, "adult-hls"), join(folder, "plain-hls", "way"));
symlinkSync(join(folder, "plain-hls", "0.ts"), join(folder, "plain-hls", "again.ts"));
symlinkSync(join(folder, "adult"), join(folder, "other", "way"));
symlinkSync(join(folder, "adult", "1.mp4"), join(folder, "other", "2.mp4"));
symlinkSync(join(folder, "adult-hls"), join(folder, "other", "hls"));
symlinkSync(join(folder, "plain", "1.mp4"), join(folder, "other", "3.mp4"));
await importTitles([
  { kind: "title", mal_id: 1, title: "For everybody", episodes: 2 },
  { kind: "title", mal_id: 2, title: "Not for everybody", rating: "rx", episodes: 2 },
]);
await createSource({ malId: 1, episode: 1, url: "media:plain/1.mp4" });
await createSource({ malId: 1, episode: 2, url: "media:plain-hls/main.m3u8" });
await createSource({ malId: 2, episode: 1, url: "media:adult/1.mp4" });
await createSource({ malId: 2, episode: 2, url: "media:adult-hls/main.m3u8" });
const [row] = await db.select({ id: films.id }).from(films).where(like(films.path, "plain/%"));
const filmPath = `/film/${row?.id}`;

const statusesUpToLimit = (ask: () => Promise<Response>) =>
  inThrees(
    Array.from({ length: maxRequests }, () => async () => {
      const answer = await ask();
      await answer.body?.cancel();
      return answer.status;
    }),
  );
const head = { headers: { Range: "bytes=0-9" } };

test("a visitor's address gets 429 after 600 requests a minute for any URLs of films", async () => {
  const address = newAddress();
  const unknown = () => `/film/${crypto.randomUUID()}`;
  const paths = [filmPath, "/media/plain/1.mp4", `${filmPath}/open.m3u`];
  const statuses = await statusesUpToLimit(() => request(unknown(), { address }));
  expect(new Set(statuses)).toEqual(new Set([401]));
  for (const path of paths) {
    const refused = await request(path, { address });
    expect([path, refused.status, refused.headers.get("X-RateLimit-Limit")]).toEqual([path, 429, "120"]);
  }
});

test("each profile has its own counter, from any address, and all its sessions share it", async () => {
  const first = await newMember();
  const second = await newMember();
  const sister = new Visitor(first.address);
  sister.keep([...second.cookies].map(([name, value]) => `${name}=${value}; Path=/`));
  for (const visitor of [first, sister]) expect((await visitor.request(filmPath, head)).status).toBe(206);
  expect(new Set(await statusesUpToLimit(() => first.request(filmPath, head)))).toEqual(new Set([206]));
  expect((await first.request(filmPath, head)).status).toBe(429);
  expect((await sister.request(filmPath, head)).status).toBe(206);
  const elsewhere = new Visitor();
  await openSession(elsewhere, first.id);
  await elsewhere.request(filmPath, head);
  expect((await elsewhere.request(filmPath, head)).status).toBe(429);
});

test("the profiles of an account use one share of the machine", async () => {
  const owner = await newMember();
  const child = await anotherBrowserOf(owner);
  await switchTo(child, await addProfile(owner, "Sister"));
  const shares = await Promise.all(
    [owner, child, await newMember()].map(async (visitor) => {
      const context = contextOfClient({ ip: visitor.address, origin: localOrigin });
      const received = new Request(localOrigin, { headers: { Cookie: visitor.cookieHeader } });
      const wanted = { kind: "file", name: "plain/1.mp4" } as const;
      return (await requireFilm(wanted, { request: received, context })).client;
    }),
  );
  expect(shares[1]).toBe(shares[0]);
  expect(shares[2]).not.toBe(shares[0]);
});

test("a visitor without a session is refused without a query of films or titles", async () => {
  expect((await request(filmPath)).status).toBe(401);
  const unlock = await lockTables("films, titles, episode_sources, episode_subtitles");
  try {
    const paths = [
      filmPath,
      `/film/${crypto.randomUUID()}`,
      "/media/nothing.mp4",
      `/captions/${crypto.randomUUID()}.vtt`,
    ];
    // With a query, each would get an error after the query's time limit.
    const statuses = await Promise.all(paths.map(async (path) => (await request(path)).status));
    expect(statuses).toEqual(paths.map(() => 401));
  } finally {
    await unlock();
  }
});

test("a film that can be reached through another name in the folder is judged by the title that it belongs to", async () => {
  const member = await newMember();
  const grownUp = await newMember();
  await db.update(users).set({ parentalControl: false }).where(eq(users.id, grownUp.id));
  const names = ["other/way/1.mp4", "other/2.mp4", "other/hls/0.ts", "other/hls/main.m3u8", "adult-hls/0.ts"];
  for (const name of ["adult/1.mp4", ...names, "other/%32.mp4"]) {
    expect([name, (await grownUp.request(`/media/${name}`, head)).status]).toEqual([name, 206]);
    expect([name, (await member.request(`/media/${name}`, head)).status]).toEqual([name, 404]);
  }
  for (const name of ["plain/1.mp4", "other/3.mp4"])
    expect([name, (await member.request(`/media/${name}`, head)).status]).toEqual([name, 206]);
});

test("a playlist in the folder leads to no file outside its own folder, also not through a link", async () => {
  const member = await newMember();
  const [row] = await db.select({ id: films.id }).from(films).where(like(films.path, "plain-hls/%"));
  const playlist = await (await member.request(`/film/${row?.id}`)).text();
  const parts = playlist.split("\n").filter((line) => line !== "" && !line.startsWith("#"));
  const statuses = await Promise.all(
    parts.map(async (part) => (await member.request(`/film/${part}`, head)).status),
  );
  expect(statuses).toEqual([206, 404, 404, 404, 206]);
});

test.each([
  ["signs out", (by: InstanceType<typeof Visitor>) => by.request("/api/auth/signout", { method: "POST" })],
  ["stays", () => Promise.resolve()],
])("a running answer is cut off within 30 seconds after the viewer loses access: %s", async (what, act) => {
  vi.useFakeTimers({ toFake: ["Date", "setInterval", "clearInterval"] });
  const member = await newMember();
  const answer = await member.request(filmPath);
  const reader = answer.body!.getReader();
  expect((await reader.read()).done).toBe(false);
  await act(member);
  await vi.advanceTimersByTimeAsync(31_000);
  // The access check queries the database, which a fake clock does not speed up.
  const rest = readAll(reader, { pauseMs: 300 });
  if (what === "stays") expect(await rest).toBeGreaterThan(film.length - 300_000);
  else await expect(rest).rejects.toThrow();
});

/** Reads the rest with a pause before each piece. */
async function readAll(reader: ReadableStreamDefaultReader<Uint8Array>, { pauseMs }: { pauseMs: number }) {
  let length = 0;
  for (;;) {
    await wait(pauseMs);
    const { done, value } = await reader.read();
    if (done) return length;
    length += value.byteLength;
  }
}

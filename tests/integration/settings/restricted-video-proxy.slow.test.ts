import { beforeAll, describe, expect, test, vi } from "vitest";
import { transportStream } from "#tests/support/data/film-bytes.ts";
import { startFaultyNetwork } from "#tests/support/servers/faulty-network.ts";
import { startUpstream } from "#tests/support/servers/upstream.ts";

/** An operator restricts the video proxy to signed URLs, and to hosts that are named or have a source. */

const film = transportStream(20);
const playlist = '#EXTM3U\n#EXT-X-DEFINE:NAME="a",VALUE="1"\n#EXT-X-STREAM-INF:BANDWIDTH=1\nchild.m3u8\n';

const upstream = await startUpstream(({ url }, response) => {
  if (url === "/parent.m3u8") response.end(playlist);
  else if (url === "/child.m3u8") response.end("#EXTM3U\n#EXTINF:4,\n0.ts\n");
  else if (url === "/away.ts") response.writeHead(302, { location: `${registered.origin}/0.ts` }).end();
  else response.end(film);
});
const registered = await startUpstream((_request, response) => response.end(film));
const unlisted = await startUpstream((_request, response) => response.end(film));

const network = await startFaultyNetwork(process.env.DATABASE_URL!);
process.env.DATABASE_URL = network.url;
process.env.ALLOW_PRIVATE_UPSTREAMS = "127.0.0.1";
process.env.PROXY_ALLOWED_HOSTS = `catalog, 127.0.0.1:${upstream.port}`;
process.env.PROXY_SIGNING_SECRET = "a secret of more than thirty-two characters";
const { request } = await import("#tests/support/site/in-process.ts");
const { playableUrl } = await import("#app/domain/playback/playback.server.ts");
const { log } = await import("#app/platform/log.server.ts");
const { db } = await import("#db/client.server.ts");
const { titles } = await import("#db/schema/catalog.ts");
const { episodes, episodeSources } = await import("#db/schema/episodes.ts");

beforeAll(async () => {
  await db.insert(titles).values({ malId: 1, title: "A", titleKey: "a" });
  await db.insert(episodes).values({ malId: 1, number: 1 });
  await db
    .insert(episodeSources)
    .values({ malId: 1, episode: 1, type: "hls", url: `HTTP://${new URL(registered.origin).host}/0.ts` });
});

const expectRefused = async (address: string, words: RegExp) => {
  const response = await request(address);
  expect([response.status, await response.json()]).toEqual([
    400,
    { error: expect.stringMatching(words), status: 400 },
  ]);
};

test("before the hosts of sources are known, while the database is down, a named host gets 200 and others get 503", async () => {
  vi.useFakeTimers({ toFake: ["performance"] });
  vi.spyOn(log, "warn").mockReturnValue();
  network.refuse(true);
  const named = await request(playableUrl(`${upstream.origin}/0.ts`));
  const refused = await request(playableUrl(`${registered.origin}/0.ts`));
  network.refuse(false);
  expect([named.status, refused.status]).toEqual([200, 503]);
  expect(await refused.json()).toEqual({ error: expect.stringContaining("database"), status: 503 });
  const statusLater = async () => {
    vi.advanceTimersByTime(5000);
    return (await request(playableUrl(`${registered.origin}/0.ts`))).status;
  };
  await expect.poll(statusLater).toBe(200);
});

describe("PROXY_SIGNING_SECRET", () => {
  test("signed URLs and the URLs in their playlists get 200, and a changed definition gets 400", async () => {
    const parent = await request(playableUrl(`${upstream.origin}/parent.m3u8`));
    expect(parent.status).toBe(200);
    const child = (await parent.text()).split("\n")[3] ?? "";
    expect(child).toContain("&define=a%3D1&sig=");
    const segment = (await (await request(child)).text()).split("\n")[2] ?? "";
    expect((await request(segment)).status).toBe(200);
    expect((await request(`${child}&_HLS_msn=3`)).status).toBe(200);
    await expectRefused(child.replace("a%3D1", "a%3D2"), /not signed/);
    await expectRefused(child.replace("&define=a%3D1", ""), /not signed/);
  });

  test("unsigned and changed URLs get 400", async () => {
    const address = playableUrl(`${upstream.origin}/0.ts`);
    await expectRefused(address.replace(/&sig=.*/, ""), /PROXY_SIGNING_SECRET/);
    await expectRefused(address.replace("0.ts", "1.ts"), /not signed/);
    await expectRefused(`${address}x`, /not signed/);
    await expectRefused(address.replace(/&sig=./, "&sig="), /not signed/);
  });
});

describe("PROXY_ALLOWED_HOSTS", () => {
  test("a named host and, with `catalog`, the host of a source get 200, and another gets 400 without a connection", async () => {
    expect((await request(playableUrl(`${upstream.origin}/0.ts`))).status).toBe(200);
    expect((await request(playableUrl(`${registered.origin}/0.ts`))).status).toBe(200);
    expect((await request(playableUrl(`${upstream.origin}/away.ts`))).status).toBe(200);
    await expectRefused(playableUrl(`${unlisted.origin}/0.ts`), /PROXY_ALLOWED_HOSTS/);
    expect(unlisted.connections).toBe(0);
  });
});

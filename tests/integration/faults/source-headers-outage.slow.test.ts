import { afterEach, expect, test, vi } from "vitest";
import { startFaultyNetwork } from "#tests/support/servers/faulty-network.ts";
import { startUpstream } from "#tests/support/servers/upstream.ts";

/** Sources with headers while the database cannot be reached. */

const network = await startFaultyNetwork(process.env.DATABASE_URL!);
process.env.DATABASE_URL = network.url;
process.env.ALLOW_PRIVATE_UPSTREAMS = "127.0.0.1";
const { request } = await import("#tests/support/site/in-process.ts");
const { someTitle } = await import("#tests/support/data/database-rows.ts");
const { createSource } = await import("#app/domain/playback/playback.server.ts");
const { log } = await import("#app/platform/log.server.ts");

const upstream = await startUpstream(({ headers }, response) => response.end(`cookie ${headers.cookie}`));

async function newAddress(name: string): Promise<string> {
  const episode = { malId: await someTitle({ episodes: 1 }), episode: 1 };
  await createSource({ ...episode, url: `${upstream.origin}/${name}.ts` }, { Cookie: "a=1" });
  const answer = await request(`/api/episodes/getEpisode?mal_id=${episode.malId}&ep=1`);
  const { data } = (await answer.json()) as { data: { video_url: string } };
  return data.video_url.replace(/^https?:\/\/[^/]+/, "");
}

afterEach(() => vi.useRealTimers());

test("without the database, a source already played keeps its headers, and another gets 503 without a fetch", async () => {
  vi.useFakeTimers({ toFake: ["performance"] });
  const warned = vi.spyOn(log, "warn").mockReturnValue();
  const [known, unknown] = [await newAddress("known"), await newAddress("unknown")];
  expect(await (await request(known)).text()).toBe("cookie a=1");
  network.refuse(true);
  // The catalog's version is read once a second.
  vi.advanceTimersByTime(1100);
  const before = upstream.requests.length;
  const refused = await request(unknown);
  expect([refused.status, refused.headers.get("Retry-After")]).toEqual([503, "2"]);
  expect(await refused.json()).toEqual({ error: expect.stringContaining("database"), status: 503 });
  expect(upstream.requests.length).toBe(before);
  expect(await (await request(known)).text()).toBe("cookie a=1");
  network.refuse(false);
  const status = async () => (await request(unknown)).status;
  await expect.poll(status, { timeout: 60_000, interval: 200 }).toBe(200);
  expect(upstream.requests.at(-1)).toBe("GET /unknown.ts");
  warned.mockRestore();
});

import { afterEach, expect, test, vi } from "vitest";
import { startFaultyNetwork } from "#tests/support/servers/faulty-network.ts";
import { startUpstream } from "#tests/support/servers/upstream.ts";

/** The application while its database cannot be reached, and afterwards. tests/cluster has more faults, under load. */

const network = await startFaultyNetwork(process.env.DATABASE_URL!);
process.env.DATABASE_URL = network.url;
process.env.LOG_LEVEL = "error";
process.env.ALLOW_PRIVATE_UPSTREAMS = "127.0.0.1";
const { goodPassword } = await import("#tests/support/data/good-password.ts");
const { newMember, Visitor } = await import("#tests/support/requests/visitor.ts");
const { origin, request } = await import("#tests/support/site/in-process.ts");
const { someTitle } = await import("#tests/support/data/database-rows.ts");
const { createSource } = await import("#app/domain/playback/playback.server.ts");
const { log } = await import("#app/platform/log.server.ts");

afterEach(() => network.refuse(false));

const internal = { error: "An internal server error occurred", status: 500 };

test("while the database is down, a valid cookie gets 500 and stays, other requests get 401; afterwards both work", async () => {
  const member = await newMember();
  network.refuse(true);
  const visitor = new Visitor();
  const listing = await visitor.request("/api/animes/full?year_filter=1950");
  expect([listing.status, listing.headers.get("Cache-Control")]).toEqual([500, "no-store"]);
  expect((await visitor.request("/api/auth/sessions")).status).toBe(401);
  visitor.cookies.set("engawa-session", "not.ours");
  expect((await visitor.request("/api/auth/sessions")).status).toBe(401);
  for (const path of ["/api/auth/sessions", "/api/auth/tokens", "/api/auth/session"]) {
    const response = await member.request(path);
    expect(response.status, path).toBe(500);
    expect(await response.json()).toEqual(internal);
    expect(response.headers.getSetCookie()).toEqual([]);
    expect(response.headers.get("Cache-Control")).toBe("no-store");
  }
  const json = { email: member.email, password: goodPassword };
  const signIn = await visitor.request("/api/auth/signin", { json });
  expect(signIn.status).toBe(500);
  expect(await signIn.json()).toEqual({ error: "Internal server error", status: 500 });

  network.refuse(false);
  await expect.poll(async () => (await member.request("/api/auth/sessions")).status).toBe(200);
  expect((await new Visitor().request("/api/auth/signin", { json })).status).toBe(200);
});

test.each([
  ["refuses connections", network.refuse],
  ["does not answer", network.swallow],
  ["is gone", network.leave],
] as const)(
  "while the database %s, GET /api/auth/session gets 500 with a session and 200 without one",
  async (_name, fault) => {
    const member = await newMember();
    await fault(true);
    const [signedIn, headOnly, visitor] = await Promise.all([
      member.request("/api/auth/session"),
      member.request("/api/auth/session", { method: "HEAD" }),
      new Visitor().request("/api/auth/session"),
    ]);
    await fault(false);
    expect([signedIn.status, await signedIn.json()]).toEqual([500, internal]);
    expect(signedIn.headers.getSetCookie()).toEqual([]);
    expect(headOnly.status).toBe(500);
    expect([visitor.status, await visitor.json()]).toEqual([200, { success: true, data: null }]);
    await expect.poll(async () => (await member.request("/api/auth/session")).status).toBe(200);
  },
);

const upstream = await startUpstream(({ headers }, response) => response.end(`cookie ${headers.cookie}`));

async function newAddress(name: string): Promise<string> {
  const episode = { malId: await someTitle({ episodes: 1 }), episode: 1 };
  await createSource({ ...episode, url: `${upstream.origin}/${name}.ts` }, { Cookie: "a=1" });
  const answer = await request(`/api/episodes/getEpisode?mal_id=${episode.malId}&ep=1`);
  const { data } = (await answer.json()) as { data: { video_url: string } };
  return data.video_url.replace(/^https?:\/\/[^/]+/, "");
}

test("without the database, a source already played keeps its headers, and another gets 503 without a fetch", async () => {
  vi.useFakeTimers({ toFake: ["performance"] });
  vi.spyOn(log, "warn").mockReturnValue();
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
  await expect.poll(status, { interval: 200 }).toBe(200);
  expect(upstream.requests.at(-1)).toBe("GET /unknown.ts");
});

test("without the database, a poster that the image proxy has converted before is still sent", async () => {
  const poster = encodeURIComponent(`${origin}/poster/${await someTitle({})}.webp?w=160`);
  const status = async (end = "") => (await request(`/api/proxy?url=${poster}&w=80${end}`)).status;
  expect(await status()).toBe(200);
  network.refuse(true);
  // The catalog's version is read once a second.
  vi.spyOn(performance, "now").mockReturnValue(performance.now() + 1100);
  expect(await status("&x=1")).toBe(200);
});

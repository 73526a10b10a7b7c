import { expect, test } from "vitest";
import { request } from "#tests/support/site/in-process.ts";

/** Which answers of the built site may be read and embedded by pages of other origins. */

const origin = "https://any.example";
const ask = async (path: string, method = "GET") => {
  const { headers } = await request(path, { method, headers: { Origin: origin } });
  return {
    readers: headers.get("Access-Control-Allow-Origin"),
    embed: headers.get("Cross-Origin-Resource-Policy"),
  };
};

test.each([
  "/api/animes/full",
  "/api/animes/getAnime?id=1",
  "/api/animes/getAnime",
  "/api/episodes?id=1",
  "/api/animes/episode",
  "/api/animes/random",
  "/api/animes/suggest?q=a",
  "/api/openapi.json",
  "/API/Animes/Full/",
  "/api/nowhere",
])("every origin may read %s, errors too", async (path) => {
  for (const method of ["GET", "HEAD", "OPTIONS"])
    expect(await ask(path, method), method).toEqual({ readers: "*", embed: null });
  expect(await ask(path, "POST")).toEqual({ readers: null, embed: null });
});

test.each([
  "/api/user/watchList",
  "/api/user/profile",
  "/api/User/watchList/",
  "/api/%75ser/watchList",
  "/api/user/watchList.data",
  "/api/auth/session",
  "/api/auth/signin",
  "/api/saveImage",
  "/api/saveUserPreferences",
  "/healthz",
  "/",
  "/signin",
  "/settings.data",
  "/robots.txt",
  "/icon.svg",
])("no other origin may read %s", async (path) => {
  for (const method of ["GET", "HEAD", "OPTIONS", "POST"])
    expect(await ask(path, method), method).toEqual({ readers: null, embed: null });
});

test.each([
  "/api/proxy",
  "/api/videoProxy",
  "/poster/1.webp",
  "/ipfs/none",
  "/media/none.mp4",
  "/film/1/master.m3u8",
  "/film/none.m3u8",
])("every origin may read and embed %s", async (path) => {
  for (const method of ["GET", "HEAD"])
    expect(await ask(path, method), method).toEqual({ readers: "*", embed: "cross-origin" });
  expect(await ask(path, "OPTIONS")).toEqual({ readers: "*", embed: null });
});

test("a client over its limit can read the refusal from another origin, from the route and from the cache", async () => {
  for (const path of ["/api/animes/random", "/api/animes/suggest?q=a"]) {
    const address = "172.31.0.1";
    let last: Response | undefined;
    for (let sent = 0; sent <= 100; sent++)
      last = await request(path, { address, headers: { Origin: origin } });
    expect([path, last?.status]).toEqual([path, 429]);
    expect(last?.headers.get("Access-Control-Allow-Origin")).toBe("*");
  }
});

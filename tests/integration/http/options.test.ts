import { expect, test } from "vitest";
import { readIncomingRequest } from "#app/http/server/incoming-request.server.ts";
import { application } from "#app/start/site.server.ts";
import { request } from "#tests/support/site/in-process.ts";

/** The answers to OPTIONS on the addresses of the built site. */

const options = async (path: string, headers: Record<string, string> = {}) => {
  const response = await request(path, { method: "OPTIONS", headers });
  return { status: response.status, allow: response.headers.get("Allow"), headers: response.headers };
};

test.each([
  ["/", "GET, HEAD, POST, OPTIONS"],
  ["/signin", "GET, HEAD, POST, OPTIONS"],
  ["/settings/password", "GET, HEAD, POST, OPTIONS"],
  ["/_root.data", "GET, HEAD, POST, OPTIONS"],
  ["/icon.svg", "GET, HEAD, OPTIONS"],
  ["/film/1/master.m3u8", "GET, HEAD, OPTIONS"],
  ["/robots.txt", "GET, HEAD, OPTIONS"],
  ["/media/film.mp4", "GET, HEAD, OPTIONS"],
  ["/poster/1.webp", "GET, HEAD, OPTIONS"],
  ["/api", "GET, HEAD, OPTIONS"],
  ["/api/animes/full", "GET, HEAD, OPTIONS"],
  ["/API/Animes/Full/", "GET, HEAD, OPTIONS"],
  ["/api/proxy", "GET, POST, HEAD, OPTIONS"],
  ["/api/auth/signin", "POST, OPTIONS"],
  ["/api/auth/callback", "GET, OPTIONS"],
  ["/api/auth/tokens", "GET, POST, DELETE, HEAD, OPTIONS"],
  ["/api/user/watchlist", "GET, POST, PUT, DELETE, HEAD, OPTIONS"],
  ["/api/user/watchList/update", "PUT, OPTIONS"],
])("OPTIONS %s gets 204 with Allow: %s", async (path, allow) => {
  expect(await options(path)).toMatchObject({ status: 204, allow });
});

test.each(["/nowhere", "/api/nowhere", "/film/1/2/none.m3u8", "/anime", "/nowhere.data", "/assets/none.js"])(
  "OPTIONS %s, a path without a route, gets 404",
  async (path) => {
    expect(await options(path)).toMatchObject({ status: 404, allow: null });
  },
);

test("a preflight names only the methods of the address", async () => {
  const headers = { Origin: "https://any.example", "Access-Control-Request-Method": "GET" };
  for (const path of ["/api/animes/full", "/api/proxy"])
    expect((await options(path, headers)).headers.get("Access-Control-Allow-Methods")).toBe("GET, HEAD");
});

test("a preflight is no answer from memory, so that it waits for its client's turn", () => {
  const incoming = readIncomingRequest({
    method: "OPTIONS",
    target: `/api/${"a/".repeat(100)}`,
    headers: { host: "localhost:3000" },
    peerIp: "127.0.0.1",
    ownHost: "localhost:3000",
    arrivedAt: 0,
    signal: () => new AbortController().signal,
  });
  expect(incoming && application.answerFromMemory(incoming)).toBeUndefined();
});

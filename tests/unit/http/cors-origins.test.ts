import { expect, test, vi } from "vitest";

vi.hoisted(() => {
  process.env.CORS_ORIGINS = "https://app.example";
  process.env.PUBLIC_URL = "https://site.example";
});

const { corsHeaders, corsReader, preflightHeaders } = await import("#app/http/cors.server.ts");
const { settleOrigin } = await import("#app/http/same-origin.server.ts");

const named = "https://app.example";
const stranger = "https://any.example";

test("a named origin may read everything of the API with credentials", () => {
  for (const method of ["GET", "POST"])
    expect(corsHeaders({ method, path: "/api/user/watchList", origin: named })).toMatchObject({
      "Access-Control-Allow-Origin": named,
      "Access-Control-Allow-Credentials": "true",
      Vary: "Origin",
    });
  expect(corsHeaders({ method: "GET", path: "/", origin: named })).toEqual({});
});

test("others get what they got before, and caches learn that it differs", () => {
  expect(corsHeaders({ method: "GET", path: "/api/animes/full", origin: stranger })).toMatchObject({
    "Access-Control-Allow-Origin": "*",
    Vary: "Origin",
  });
  expect(corsHeaders({ method: "GET", path: "/api/user/watchList", origin: stranger })).toEqual({
    Vary: "Origin",
  });
  expect(
    corsHeaders({ method: "GET", path: "/api/animes/full", origin: `${named}.evil.example` }),
  ).toMatchObject({
    "Access-Control-Allow-Origin": "*",
  });
});

test("its preflight allows writing", () => {
  expect(preflightHeaders({ path: "/api/user/watchList", origin: named })).toMatchObject({
    "Access-Control-Allow-Origin": named,
    "Access-Control-Allow-Credentials": "true",
    "Access-Control-Allow-Methods": "GET, HEAD, POST, PUT, PATCH, DELETE",
  });
});

test("a cache keeps its answers apart", () => {
  expect(corsReader(named)).not.toBe(corsReader(stranger));
  expect(corsReader(stranger)).toBe(corsReader(undefined));
});

test("a named origin counts as our own where something is changed, by pages too", () => {
  const told = (origin: string, method = "POST") => {
    const request = new Request("https://site.example/signin", { method, headers: { Origin: origin } });
    settleOrigin({ request, ownOrigin: "https://site.example" });
    return [request.headers.get("Sec-Fetch-Site"), request.headers.get("Origin")];
  };
  for (const own of [named, "https://site.example"]) expect(told(own)).toEqual(["same-origin", null]);
  for (const foreign of [stranger, "null", "http://app.example"])
    expect(told(foreign)).toEqual(["cross-site", null]);
  expect(told(stranger, "GET")).toEqual([null, stranger]);
});

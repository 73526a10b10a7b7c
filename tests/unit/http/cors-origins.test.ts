import { expect, test, vi } from "vitest";

vi.hoisted(() => {
  process.env.CORS_ORIGINS = "https://app.example";
  process.env.PUBLIC_URL = "https://site.example";
});

const { corsHeaders, corsReader, preflightHeaders } = await import("#app/http/cors.server.ts");

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

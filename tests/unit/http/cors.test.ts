import { expect, test } from "vitest";
import { corsHeaders, preflightHeaders } from "#app/http/cors.server.ts";

/** Without CORS_ORIGINS, the default. */

const get = (path: string, origin?: string) => corsHeaders({ method: "GET", path, origin });

test("public reading is open to everybody, without credentials", () => {
  const headers = get("/api/animes/full", "https://any.example");
  expect(headers["Access-Control-Allow-Origin"]).toBe("*");
  expect(headers["Access-Control-Allow-Credentials"]).toBeUndefined();
  expect(headers.Vary).toBeUndefined();
  for (const name of ["X-RateLimit-Limit", "Retry-After", "ETag", "Content-Range", "Content-Length"])
    expect(headers["Access-Control-Expose-Headers"]).toContain(name);
});

test("what is personal, a page, or a write is not", () => {
  expect(get("/api/user/watchList")).toEqual({});
  expect(get("/API/Auth/session")).toEqual({});
  expect(get("/api/user/watchList.data")).toEqual({});
  expect(get("/")).toEqual({});
  expect(get("/apiary")).toEqual({});
  expect(corsHeaders({ method: "POST", path: "/api/proxy", origin: "https://any.example" })).toEqual({
    "Cross-Origin-Resource-Policy": "cross-origin",
  });
});

test("media may be embedded anywhere", () => {
  for (const path of [
    "/api/proxy",
    "/api/videoProxy",
    "/media/a.mp4",
    "/film/a.m3u8",
    "/ipfs/b",
    "/poster/1.webp",
  ])
    expect(get(path)["Cross-Origin-Resource-Policy"], path).toBe("cross-origin");
  expect(get("/api/animes/full")["Cross-Origin-Resource-Policy"]).toBeUndefined();
});

test("a preflight allows reading what is public", () => {
  const open = preflightHeaders({ path: "/api/animes/full", origin: "https://any.example" });
  expect(open["Access-Control-Allow-Methods"]).toBe("GET, HEAD");
  expect(preflightHeaders({ path: "/api/user/watchList", origin: "https://any.example" })).toEqual({});
});

import { expect, test, vi } from "vitest";

vi.hoisted(() => {
  process.env.CORS_ORIGINS = "https://app.example";
  process.env.PUBLIC_URL = "https://site.example";
});

const { corsHeaders, corsReader, preflightHeaders } = await import("#app/http/pipeline/cors.server.ts");
const { withAnyone, withApiOrigins, withNobody } = await import("#app/http/sharing.ts");
const { withSettledOrigin } = await import("#app/http/guards/same-origin.server.ts");

const named = "https://app.example";
const stranger = "https://any.example";

test("an origin in CORS_ORIGINS may read shared answers with credentials", () => {
  for (const method of ["GET", "POST"])
    expect(corsHeaders({ method, sharing: withApiOrigins, origin: named })).toMatchObject({
      "Access-Control-Allow-Origin": named,
      "Access-Control-Allow-Credentials": "true",
      Vary: "Origin",
    });
  expect(corsHeaders({ method: "GET", sharing: withNobody, origin: named })).toEqual({});
});

test("another origin may read only answers that are shared with anyone, and they vary by Origin", () => {
  for (const origin of [stranger, `${named}.evil.example`])
    expect(corsHeaders({ method: "GET", sharing: withAnyone, origin })).toMatchObject({
      "Access-Control-Allow-Origin": "*",
      Vary: "Origin",
    });
  expect(corsHeaders({ method: "GET", sharing: withApiOrigins, origin: stranger })).toEqual({
    Vary: "Origin",
  });
});

test("a preflight of an origin in CORS_ORIGINS allows writes", () => {
  expect(
    preflightHeaders({ sharing: withApiOrigins, origin: named, methods: ["POST", "DELETE"] }),
  ).toMatchObject({
    "Access-Control-Allow-Origin": named,
    "Access-Control-Allow-Credentials": "true",
    "Access-Control-Allow-Methods": "POST, DELETE",
  });
});

test("answers for such an origin have their own cache entries", () => {
  expect(corsReader(named)).not.toBe(corsReader(stranger));
  expect(corsReader(stranger)).toBe(corsReader(undefined));
});

test("a write from an origin in CORS_ORIGINS counts as same-origin, also on pages", () => {
  const told = (origin: string, method = "POST") => {
    const request = new Request("https://site.example/signin", { method, headers: { Origin: origin } });
    withSettledOrigin({ request, ownOrigin: "https://site.example" });
    return [request.headers.get("Sec-Fetch-Site"), request.headers.get("Origin")];
  };
  for (const own of [named, "https://site.example"]) expect(told(own)).toEqual(["same-origin", null]);
  for (const foreign of [stranger, "null", "http://app.example"])
    expect(told(foreign)).toEqual(["cross-site", null]);
  expect(told(stranger, "GET")).toEqual([null, stranger]);
});

import { expect, test } from "vitest";
import { corsHeaders, preflightHeaders } from "#app/http/pipeline/cors.server.ts";
import { asMedia, type Sharing, withAnyone, withApiOrigins, withNobody } from "#app/http/sharing.ts";

/** CORS_ORIGINS is not set, which is the default. */

const origin = "https://any.example";
const get = (sharing: Sharing) => corsHeaders({ method: "GET", origin, sharing });

test("an answer that is shared with anyone is readable by every origin, without credentials", () => {
  const headers = get(withAnyone);
  expect(headers["Access-Control-Allow-Origin"]).toBe("*");
  expect(headers["Access-Control-Allow-Credentials"]).toBeUndefined();
  expect(headers.Vary).toBeUndefined();
  for (const name of ["X-RateLimit-Limit", "Retry-After", "ETag", "Content-Range", "Content-Length"])
    expect(headers["Access-Control-Expose-Headers"]).toContain(name);
});

test("an answer that is not shared with anyone, or to a write, is readable by no other origin", () => {
  expect(get(withApiOrigins)).toEqual({});
  expect(get(withNobody)).toEqual({});
  expect(corsHeaders({ method: "POST", origin, sharing: asMedia })).toEqual({
    "Cross-Origin-Resource-Policy": "cross-origin",
  });
});

test("media may be embedded by every origin", () => {
  expect(get(asMedia)["Cross-Origin-Resource-Policy"]).toBe("cross-origin");
  expect(get(withAnyone)["Cross-Origin-Resource-Policy"]).toBeUndefined();
});

test("a preflight allows every origin to read answers that are shared with anyone, and nothing else", () => {
  const open = preflightHeaders({ origin, sharing: withAnyone, methods: ["GET", "HEAD", "POST"] });
  expect(open["Access-Control-Allow-Methods"]).toBe("GET, HEAD");
  for (const sharing of [withApiOrigins, withNobody])
    expect(preflightHeaders({ origin, sharing, methods: ["GET", "POST"] })).toEqual({});
});

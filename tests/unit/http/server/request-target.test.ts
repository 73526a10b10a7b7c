import fc from "fast-check";
import { expect, test } from "vitest";
import { differsOnlyBySchemeOrHost } from "#app/http/server/incoming-request.server.ts";
import { canonicalHost, parseRequestTarget } from "#app/http/server/request-target.server.ts";

test("a target is split into path, query and host, and nothing is decoded", () => {
  expect(parseRequestTarget("GET", "/a%20b/?x=1?y", "Site.Example:80")).toEqual({
    path: "/a%20b/",
    query: "?x=1?y",
    host: "site.example:80",
  });
  expect(parseRequestTarget("GET", "https://Other.example?q", "site.example")).toEqual({
    path: "/",
    query: "?q",
    host: "other.example",
  });
});

test.each(["/", "\\\\", "/./", "a/"])("a path of thousands of %j is refused", (part) => {
  expect(parseRequestTarget("GET", `/${part.repeat(4000)}x`, "site.example")).toBeNull();
  expect(parseRequestTarget("GET", `/${part.repeat(10)}x`, "site.example")).not.toBeNull();
});

test("an accepted target gives a URL on its host and no other", () => {
  fc.assert(
    fc.property(fc.webPath(), fc.string(), (path, noise) => {
      const target = parseRequestTarget("GET", `/${noise}${path}`, "site.example");
      if (target)
        expect(new URL(`http://${target.host}${target.path}${target.query}`).host).toBe("site.example");
    }),
  );
});

test.each(["a b", "a/b", "a@b", "a?b", "a#b", "a\\b", "", "-", ".", "a:b", "a:123456", "[::1", "a,b"])(
  "%j is not a host",
  (host) => {
    expect(canonicalHost(host)).toBeNull();
  },
);

test("an origin that differs from ours only in scheme or loopback name is recognized as a misconfiguration", () => {
  expect(differsOnlyBySchemeOrHost("https://a.example", "http://a.example")).toBe(true);
  expect(differsOnlyBySchemeOrHost("http://localhost:3000", "http://127.0.0.1:3000")).toBe(true);
  expect(differsOnlyBySchemeOrHost("http://localhost:5173", "http://127.0.0.1:3000")).toBe(false);
  expect(differsOnlyBySchemeOrHost("https://b.example", "http://a.example")).toBe(false);
  expect(differsOnlyBySchemeOrHost("null", "http://a.example")).toBe(false);
});

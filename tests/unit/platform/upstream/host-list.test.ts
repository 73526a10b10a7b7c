import { expect, test } from "vitest";
import { allowedHosts } from "#app/platform/upstream/host-list.server.ts";

test.each([
  [
    "films.example.org",
    ["films.example.org", "films.example.org:8443"],
    ["x.films.example.org", "example.org"],
  ],
  [
    "*.example.org",
    ["a.example.org", "a.b.example.org"],
    ["example.org", "a.example.org.evil.test", "aexample.org"],
  ],
  ["cdn*.example.org", ["cdn1.example.org"], ["cdn.example.org", "xcdn1.example.org"]],
  ["films.example.org:8443", ["films.example.org:8443"], ["films.example.org"]],
  ["https://films.example.org/path", ["films.example.org"], []],
  ["bücher.example", ["xn--bcher-kva.example"], ["bucher.example"]],
  ["*", ["a", "a.b:1"], []],
  ["FILMS.example.org", ["films.example.org"], []],
  ["a.b", ["a.b"], ["axb"]],
])("%s matches only its hosts", (pattern, open, closed) => {
  const { isAllowedHost } = allowedHosts([pattern]);
  for (const host of open) expect(isAllowedHost(host, new Set()), host).toBe(true);
  for (const host of closed) expect(isAllowedHost(host, new Set()), host).toBe(false);
});

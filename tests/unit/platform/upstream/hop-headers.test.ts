import { expect, test } from "vitest";
import { createHopHeaders } from "#app/platform/upstream/hop-headers.server.ts";

const first = new URL("https://a.test/films/start");
const cookieAt = (url: string, hop: ReturnType<typeof createHopHeaders>) =>
  hop.headersFor(new URL(url)).cookie;

test("headers for one server are added to the common ones for its URLs only", () => {
  const hop = createHopHeaders({
    headers: { range: "bytes=0-1" },
    headersOf: ({ host }): Record<string, string> =>
      host === "a.test" ? { referer: "https://b.test/" } : {},
  });
  expect(hop.headersFor(first)).toEqual({ range: "bytes=0-1", referer: "https://b.test/" });
  expect(hop.headersFor(new URL("https://b.test/"))).toEqual({ range: "bytes=0-1" });
});

test("without keepsCookies, no cookie is sent back", () => {
  const hop = createHopHeaders({});
  hop.keep(first, "a=1");
  expect(cookieAt(first.href, hop)).toBeUndefined();
});

test("a cookie is sent back to its host and path only, longer paths first", () => {
  const hop = createHopHeaders({ keepsCookies: true });
  hop.keep(first, ["b=2; Path=/; Domain=test", "a=1", "c=3; Path=/; Secure", "d=4; Path=/other"]);
  expect(cookieAt("https://a.test/films/1.ts", hop)).toBe("a=1; b=2; c=3");
  expect(cookieAt("https://a.test/filmsx", hop)).toBe("b=2; c=3");
  for (const other of ["https://b.test/films/", "https://x.a.test/films/"])
    expect(cookieAt(other, hop), other).toBeUndefined();
});

test("a cookie from https is sent to other ports of its host, and never over plain http", () => {
  const hop = createHopHeaders({ keepsCookies: true });
  hop.keep(first, ["plain=1; Path=/", "closed=2; Path=/; Secure"]);
  expect(cookieAt("https://a.test:8443/", hop)).toBe("plain=1; closed=2");
  for (const open of ["http://a.test/", "http://a.test:443/", "http://a.test:8080/"])
    expect(cookieAt(open, hop), open).toBeUndefined();
});

test("a cookie from plain http is sent to https too, but never replaces or deletes one from https", () => {
  const hop = createHopHeaders({ keepsCookies: true });
  hop.keep(new URL("http://a.test/"), ["plain=1", "closed=2; Secure"]);
  expect(cookieAt("https://a.test/", hop)).toBe("plain=1");
  hop.keep(first, "sid=good; Path=/");
  hop.keep(new URL("http://a.test/"), ["sid=bad", "sid=worse; Path=/films", "sid=; Max-Age=0"]);
  expect(cookieAt("https://a.test/films/", hop)).toBe("plain=1; sid=good");
});

test("a later cookie replaces an earlier one and the caller's, and an expired one is deleted", () => {
  const hop = createHopHeaders({ keepsCookies: true, headersOf: () => ({ cookie: "sid=given; other=x" }) });
  hop.keep(first, "sid=1; Path=/");
  hop.keep(first, "sid=2; Path=/");
  expect(cookieAt("https://a.test/", hop)).toBe("other=x; sid=2");
  for (const end of ["Max-Age=0", "max-age=-1; HttpOnly", "Expires=Thu, 01 Jan 1970 00:00:00 GMT"]) {
    hop.keep(first, `sid=3; Path=/; ${end}`);
    expect(cookieAt("https://a.test/", hop), end).toBe("sid=given; other=x");
    hop.keep(first, "sid=2; Path=/");
  }
});

test("broken, huge and too many cookies are ignored", () => {
  const hop = createHopHeaders({ keepsCookies: true });
  hop.keep(first, ["=x", "", "a=\u00e9", "a=1\r\nX: y", `a=${"x".repeat(5000)}`, "s=1; Secure; Path=/"]);
  expect(cookieAt("https://a.test/films/", hop)).toBe("s=1");
  for (let at = 0; at < 100; at++) hop.keep(first, `c${at}=1; Path=/`);
  expect(cookieAt("https://a.test/films/", hop)?.split("; ")).toHaveLength(20);
  const plain = createHopHeaders({ keepsCookies: true });
  plain.keep(new URL("http://a.test/"), "s=1; Secure");
  expect(cookieAt("https://a.test/", plain)).toBeUndefined();
});

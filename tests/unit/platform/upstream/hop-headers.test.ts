import { expect, it } from "vitest";
import { createHopHeaders } from "#app/platform/upstream/hop-headers.server.ts";

const first = new URL("https://a.test/films/start");
const cookieAt = (url: string, hop: ReturnType<typeof createHopHeaders>) =>
  hop.headersFor(new URL(url)).cookie;

it("headers for one server are added to the common ones for its URLs only", () => {
  const hop = createHopHeaders({
    headers: { range: "bytes=0-1" },
    headersOf: ({ host }): Record<string, string> =>
      host === "a.test" ? { referer: "https://b.test/" } : {},
  });
  expect(hop.headersFor(first)).toEqual({ range: "bytes=0-1", referer: "https://b.test/" });
  expect(hop.headersFor(new URL("https://b.test/"))).toEqual({ range: "bytes=0-1" });
});

it("without keepsCookies, no cookie comes back", () => {
  const hop = createHopHeaders({});
  hop.keep(first, "a=1");
  expect(cookieAt(first.href, hop)).toBeUndefined();
});

it("a cookie goes back to its host, port and path, and a secure one over https only", () => {
  const hop = createHopHeaders({ keepsCookies: true });
  hop.keep(first, ["a=1", "b=2; Path=/; Domain=test", "c=3; Path=/; Secure", "d=4; Path=/other"]);
  expect(cookieAt("https://a.test/films/1.ts", hop)).toBe("a=1; b=2; c=3");
  expect(cookieAt("https://a.test/filmsx", hop)).toBe("b=2; c=3");
  expect(cookieAt("http://a.test/", hop)).toBe("b=2");
  for (const other of ["https://b.test/films/", "https://x.a.test/films/", "https://a.test:8443/films/"])
    expect(cookieAt(other, hop), other).toBeUndefined();
});

it("a later cookie replaces an earlier one and the caller's, and an expired one is deleted", () => {
  const hop = createHopHeaders({ keepsCookies: true, headersOf: () => ({ cookie: "sid=given; other=x" }) });
  hop.keep(first, "sid=1; Path=/");
  hop.keep(first, "sid=2; Path=/");
  expect(cookieAt("https://a.test/", hop)).toBe("other=x; sid=2");
  hop.keep(first, "sid=; Path=/; Max-Age=0");
  expect(cookieAt("https://a.test/", hop)).toBe("sid=given; other=x");
});

it("broken, huge and too many cookies are ignored", () => {
  const hop = createHopHeaders({ keepsCookies: true });
  hop.keep(first, ["=x", "", "a=\u00e9", "a=1\r\nX: y", `a=${"x".repeat(5000)}`, "s=1; Secure; Path=/"]);
  expect(cookieAt("https://a.test/films/", hop)).toBe("s=1");
  for (let at = 0; at < 100; at++) hop.keep(first, `c${at}=1; Path=/`);
  expect(cookieAt("https://a.test/films/", hop)?.split("; ")).toHaveLength(20);
  const plain = createHopHeaders({ keepsCookies: true });
  plain.keep(new URL("http://a.test/"), "s=1; Secure");
  expect(cookieAt("https://a.test/", plain)).toBeUndefined();
});

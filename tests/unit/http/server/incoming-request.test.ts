import type { IncomingHttpHeaders } from "node:http";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { clientIp, readIncomingRequest } from "#app/http/server/incoming-request.server.ts";

/** Default settings: HOST is a loopback address, and no proxy is trusted. */

const arrive = (headers: IncomingHttpHeaders = {}, peerIp = "127.0.0.1") =>
  readIncomingRequest({
    method: "GET",
    target: "/a?b=c",
    headers: { host: "localhost:3000", ...headers },
    peerIp,
    arrivedAt: 0,
    signal: () => new AbortController().signal,
    ownHost: "localhost:80",
  });

test("the origin comes from the Host header, and forwarded headers of a client do not change it", () => {
  expect(arrive()).toMatchObject({ origin: "http://localhost:3000", path: "/a", query: "?b=c" });
  const forged = {
    "x-forwarded-proto": "https",
    "x-forwarded-host": "evil.example",
    "x-forwarded-for": "1.2.3.4",
  };
  expect(arrive(forged, "9.9.9.9")).toMatchObject({ origin: "http://localhost:3000", ip: "9.9.9.9" });
});

describe("loopback upstreams are allowed", () => {
  test("for a request from this machine to a loopback host", () => {
    for (const host of ["localhost", "localhost:3000", "127.0.0.1:3000", "[::1]:3000"])
      expect(arrive({ host })?.mayReachLoopback(), host).toBe(true);
    expect(arrive({}, "::1")?.mayReachLoopback()).toBe(true);
    expect(arrive({}, "::ffff:127.0.0.1")?.mayReachLoopback()).toBe(true);
  });

  test("not for a request from elsewhere, to another host, or through a proxy", () => {
    expect(arrive({}, "192.168.1.2")?.mayReachLoopback()).toBe(false);
    for (const host of ["evil.example", "localhost.evil.example", "192.168.1.2:3000", "0.0.0.0"])
      expect(arrive({ host })?.mayReachLoopback(), host).toBe(false);
    for (const name of [
      "forwarded",
      "via",
      "x-forwarded-for",
      "x-forwarded-host",
      "x-forwarded-proto",
      "x-real-ip",
      "x-forwarded-port",
      "x-original-forwarded-for",
      "x-client-ip",
      "cf-connecting-ip",
      "true-client-ip",
    ])
      expect(arrive({ [name]: "127.0.0.1" })?.mayReachLoopback(), name).toBe(false);
  });
});

test("a request that a page of another site makes does not count as a request from this machine", () => {
  const asks = (headers: IncomingHttpHeaders, peerIp?: string) => arrive(headers, peerIp)?.isFromOwnMachine();
  for (const headers of [{}, { origin: "http://localhost:3000" }, { "sec-fetch-site": "same-origin" }])
    expect(asks(headers), JSON.stringify(headers)).toBe(true);
  expect(asks({ "sec-fetch-site": "none" })).toBe(true);
  for (const headers of [
    { origin: "https://elsewhere.example" },
    { origin: "null" },
    { "sec-fetch-site": "cross-site" },
    { "sec-fetch-site": "same-site" },
    { via: "1.1 somewhere" },
  ] as IncomingHttpHeaders[])
    expect(asks(headers), JSON.stringify(headers)).toBe(false);
  expect(asks({}, "192.168.1.2")).toBe(false);
});

test("each request gets a new id, whatever id the client sends", () => {
  const ids = [arrive({ "x-request-id": "mine" })?.requestId, arrive({ "x-request-id": "mine" })?.requestId];
  expect(new Set([...ids, "mine"]).size).toBe(3);
});

describe("clientIp", () => {
  test.each([
    ["no trusted proxy: the peer", "1.2.3.4", 0, "9.9.9.9"],
    ["one trusted proxy: the last entry", "1.2.3.4, 5.6.7.8", 1, "5.6.7.8"],
    ["two trusted proxies: the entry before", "1.2.3.4, 5.6.7.8", 2, "1.2.3.4"],
    ["fewer entries than proxies", "1.2.3.4", 3, "1.2.3.4"],
    ["a port", "1.2.3.4:5678", 1, "1.2.3.4"],
    ["IPv6 with a port", "[2001:db8::1]:5678", 1, "2001:db8::1"],
    ["IPv6", "2001:db8::1", 1, "2001:db8::1"],
    ["IPv4 mapped into IPv6", "::ffff:1.2.3.4", 1, "1.2.3.4"],
    ["an entry that is no IP address", "unknown", 1, "9.9.9.9"],
    ["an empty entry", "1.2.3.4, ", 1, "9.9.9.9"],
    ["no header", undefined, 1, "9.9.9.9"],
  ])("%s", (_name, forwardedFor, proxies, expected) => {
    expect(clientIp("9.9.9.9", forwardedFor, proxies)).toBe(expected);
  });

  test("a mapped IPv4 address of the peer becomes plain IPv4", () => {
    expect(clientIp("::ffff:127.0.0.1", undefined, 0)).toBe("127.0.0.1");
  });

  test("entries that a client puts in front do not change the result", () => {
    fc.assert(
      fc.property(fc.string(), fc.ipV4(), fc.integer({ min: 1, max: 3 }), (forged, realIp, proxies) => {
        const hops = [forged, realIp, ...Array.from({ length: proxies - 1 }, () => "10.0.0.1")];
        expect(clientIp("9.9.9.9", hops.join(","), proxies)).toBe(realIp);
      }),
    );
  });
});

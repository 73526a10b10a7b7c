import type { IncomingHttpHeaders } from "node:http";
import { describe, expect, test } from "vitest";
import { readIncomingRequest } from "#app/http/server/incoming-request.server.ts";

/** Settings as they are by default: on a loopback HOST, with no proxy in front. */

const arrive = (headers: IncomingHttpHeaders = {}, peerIp = "127.0.0.1") =>
  readIncomingRequest({
    method: "GET",
    target: "/a?b=c",
    headers: { host: "localhost:3000", ...headers },
    peerIp,
    ownHost: "localhost:80",
  });

test("the origin is the one that was asked, and no header of a stranger changes it", () => {
  expect(arrive()).toMatchObject({ origin: "http://localhost:3000", path: "/a", query: "?b=c" });
  const forged = {
    "x-forwarded-proto": "https",
    "x-forwarded-host": "evil.example",
    "x-forwarded-for": "1.2.3.4",
  };
  expect(arrive(forged, "9.9.9.9")).toMatchObject({ origin: "http://localhost:3000", address: "9.9.9.9" });
});

describe("loopback upstreams may be named", () => {
  test("by this machine under its own name", () => {
    for (const host of ["localhost", "localhost:3000", "127.0.0.1:3000", "[::1]:3000"])
      expect(arrive({ host })?.mayReachLoopback, host).toBe(true);
    expect(arrive({}, "::1")?.mayReachLoopback).toBe(true);
    expect(arrive({}, "::ffff:127.0.0.1")?.mayReachLoopback).toBe(true);
  });

  test("not from elsewhere, under another name, or through a proxy", () => {
    expect(arrive({}, "192.168.1.2")?.mayReachLoopback).toBe(false);
    for (const host of ["evil.example", "localhost.evil.example", "192.168.1.2:3000", "0.0.0.0"])
      expect(arrive({ host })?.mayReachLoopback, host).toBe(false);
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
      expect(arrive({ [name]: "127.0.0.1" })?.mayReachLoopback, name).toBe(false);
  });
});

test("each request has a name of its own, and a stranger does not choose it", () => {
  const ids = [arrive({ "x-request-id": "mine" })?.requestId, arrive({ "x-request-id": "mine" })?.requestId];
  expect(new Set([...ids, "mine"]).size).toBe(3);
});

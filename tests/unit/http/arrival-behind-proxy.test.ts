import { expect, test, vi } from "vitest";

vi.hoisted(() => {
  process.env.TRUST_PROXY = "1";
});

const { readIncomingRequest } = await import("#app/http/server/incoming-request.server.ts");
const { plainSecurityHeaders } = await import("#app/http/pipeline/security-headers.server.ts");

const arrive = (headers: Record<string, string>) =>
  readIncomingRequest({
    method: "GET",
    target: "/",
    headers: { host: "site.example", ...headers },
    peerIp: "127.0.0.1",
    ownHost: "localhost",
  });

test("a trusted proxy says who asks, how, and under which name", () => {
  const headers = {
    "x-forwarded-for": "6.6.6.6, 1.2.3.4",
    "x-forwarded-proto": "https",
    "x-request-id": "edge-42",
  };
  expect(arrive(headers)).toMatchObject({
    address: "1.2.3.4",
    origin: "https://site.example",
    requestId: "edge-42",
    mayReachLoopback: false,
  });
  expect(arrive({ host: "localhost" })?.mayReachLoopback).toBe(false);
  expect(arrive({ "x-forwarded-proto": "gopher" })?.origin).toBe("http://site.example");
});

test("only an https site asks browsers to stay on https", () => {
  const names = (origin: string) => plainSecurityHeaders(origin).map(([name]) => name);
  expect(names("https://site.example")).toContain("Strict-Transport-Security");
  expect(names("http://site.example")).not.toContain("Strict-Transport-Security");
});

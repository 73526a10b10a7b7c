import { expect, test, vi } from "vitest";

vi.hoisted(() => {
  process.env.TRUST_PROXY = "1";
});

const { readIncomingRequest } = await import("#app/http/server/incoming-request.server.ts");
const { plainSecurityHeaders } = await import("#app/http/pipeline/security-headers.server.ts");

const read = (headers: Record<string, string>) =>
  readIncomingRequest({
    method: "GET",
    target: "/",
    headers: { host: "site.example", ...headers },
    peerIp: "127.0.0.1",
    arrivedAt: 0,
    signal: () => new AbortController().signal,
    ownHost: "localhost",
  });

test("a trusted proxy sets the client's IP address, the origin and the request id", () => {
  const headers = {
    "x-forwarded-for": "6.6.6.6, 1.2.3.4",
    "x-forwarded-proto": "https",
    "x-request-id": "edge-42",
  };
  expect(read(headers)).toMatchObject({
    ip: "1.2.3.4",
    origin: "https://site.example",
    requestId: "edge-42",
  });
  expect(read({ host: "localhost" })?.mayReachLoopback()).toBe(false);
  expect(read({ "x-forwarded-proto": "gopher" })?.origin).toBe("http://site.example");
});

test("only a site on https sends Strict-Transport-Security", () => {
  const names = (origin: string) => plainSecurityHeaders(origin).map(([name]) => name);
  expect(names("https://site.example")).toContain("Strict-Transport-Security");
  expect(names("http://site.example")).not.toContain("Strict-Transport-Security");
});

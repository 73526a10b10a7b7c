import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { clientIp } from "#app/http/server/client-address.server.ts";

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

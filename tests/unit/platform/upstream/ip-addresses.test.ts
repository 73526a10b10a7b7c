import { isIP } from "node:net";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { classifyIp, isInIpRange, parseIp, parseIpRange } from "#app/platform/upstream/ip-addresses.ts";

const kindOf = (text: string) => {
  const bytes = parseIp(text);
  return bytes && classifyIp(bytes);
};

describe("classifyIp", () => {
  const cases: [string, string[]][] = [
    ["public", ["1.1.1.1", "93.184.216.34", "172.32.0.1", "100.128.0.1", "11.0.0.1", "2606:4700::1111"]],
    [
      "loopback",
      ["127.0.0.1", "127.255.255.254", "::1", "0:0:0:0:0:0:0:1", "::ffff:127.0.0.1", "::ffff:7f00:1"],
    ],
    ["loopback", ["64:ff9b::127.0.0.1", "2002:7f00:1::", "::127.0.0.1", "::ffff:0:127.0.0.1"]],
    ["private", ["10.0.0.1", "172.16.0.1", "172.31.255.255", "192.168.1.1", "100.64.0.1", "198.18.0.1"]],
    [
      "private",
      ["fc00::1", "fd12:3456::1", "fec0::1", "::ffff:10.0.0.1", "64:ff9b::a00:1", "2002:c0a8:101::1"],
    ],
    ["private", ["64:ff9b:1::8.8.8.8", "2606:4700::5efe:10.0.0.1", "2606:4700::200:5efe:192.168.0.1"]],
    ["private", ["fd00::5efe:8.8.8.8", "fec0::200:5efe:8.8.8.8"]],
    ["link_local", ["169.254.0.1", "fe80::1", "fe80::1%eth0", "febf::1", "::ffff:169.254.1.1"]],
    [
      "metadata",
      ["169.254.169.254", "fd00:ec2::254", "100.100.100.200", "168.63.129.16", "64:ff9b::a9fe:a9fe"],
    ],
    ["reserved", ["0.0.0.0", "::", "255.255.255.255", "224.0.0.1", "240.0.0.1", "192.0.2.1", "ff02::1"]],
    ["reserved", ["::8.8.8.8", "2001:db8::1", "4000::1", "::ffff:0.0.0.0"]],
    // Teredo (RFC 4380): the server is in bytes 4 to 7, the inverted client at the end.
    ["private", ["2001:0:a00:1::", "2001:0:808:808:0:0:f5ff:fffe"]],
    ["public", ["::ffff:8.8.8.8", "64:ff9b::808:808", "2002:808:808::1", "2001:0:808:808:0:0:f7f7:f7f7"]],
  ];
  test.each(cases)("%s is the kind of %j", (kind, addresses) => {
    for (const address of addresses) expect([address, kindOf(address)]).toEqual([address, kind]);
  });

  test.each([
    "",
    "1",
    "1.2.3",
    "01.2.3.4",
    "256.1.1.1",
    "1.2.3.4.5",
    ":::",
    "1::2::3",
    "12345::",
    "::1.2.3",
    "1.2.3.4::",
    "1.2.3.4::1",
    "::ffff:010.1.1.1",
    "0x7f.0.0.1",
    "127.1",
    "g::",
  ])("%j is not an IP address", (text) => expect(parseIp(text)).toBeNull());
});

const ipv4 = fc.ipV4();
const ipv6 = fc.ipV6();

test("the bytes of an IPv6 address are those of the address that a URL makes of its text", () => {
  const hostOf = (text: string) => new URL(`http://[${text}]`).hostname;
  fc.assert(
    fc.property(
      fc.oneof(ipv6, fc.constantFrom("::", "::ffff:1.2.3.4", "1::", "1:2:3:4:5:6:7.8.9.10")),
      (text) => {
        const hex = Buffer.from(parseIp(text)!).toString("hex");
        expect(hex).toHaveLength(32);
        expect(hostOf(hex.replace(/.{4}(?!$)/g, "$&:"))).toBe(hostOf(text));
      },
    ),
  );
});

test("the bytes of an IPv4 address are its numbers", () => {
  fc.assert(
    fc.property(ipv4, (text) => {
      expect([...parseIp(text)!].join(".")).toBe(text);
    }),
  );
});

test("no text becomes an IP address that Node does not accept as one", () => {
  fc.assert(
    fc.property(fc.string({ unit: fc.constantFrom(..."0123456789abf.:") }), (text) => {
      expect(parseIp(text) !== null).toBe(isIP(text) !== 0);
    }),
  );
});

test("an IPv4 address that is not public is not public inside an IPv6 address either", () => {
  fc.assert(
    fc.property(ipv4, (address) => {
      const plain = kindOf(address);
      const [a, b, c, d] = address.split(".").map(Number) as [number, number, number, number];
      const hex = `${((a << 8) | b).toString(16)}:${((c << 8) | d).toString(16)}`;
      const inverted = `${(65535 ^ ((a << 8) | b)).toString(16)}:${(65535 ^ ((c << 8) | d)).toString(16)}`;
      for (const form of [`::ffff:${hex}`, `64:ff9b::${hex}`, `2002:${hex}::`])
        expect(kindOf(form)).toBe(plain);
      if (plain === "public") return;
      for (const form of [`::${hex}`, `2001:0:${hex}::f7f7:f7f7`, `2001:0:808:808:0:0:${inverted}`])
        expect(kindOf(form)).not.toBe("public");
    }),
  );
});

test("a range contains exactly the IP addresses with its first bits", () => {
  const asNumber = (text: string) => text.split(".").reduce((sum, part) => sum * 256 + Number(part), 0);
  fc.assert(
    fc.property(ipv4, ipv4, fc.integer({ min: 0, max: 32 }), (one, other, bits) => {
      const size = 2 ** (32 - bits);
      const expected = Math.floor(asNumber(one) / size) === Math.floor(asNumber(other) / size);
      expect(isInIpRange(parseIp(one)!, parseIpRange(`${other}/${bits}`)!)).toBe(expected);
    }),
  );
});

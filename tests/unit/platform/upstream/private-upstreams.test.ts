import { expect, test } from "vitest";
import { judgeIp, parsePrivateUpstreams } from "#app/platform/upstream/private-upstreams.ts";

const judge = (setting: string, url: string, address: string, mayReachLoopback = false) => {
  const judgement = judgeIp(new URL(url), address, parsePrivateUpstreams(setting)!, mayReachLoopback);
  return judgement.ok ? judgement.reach : judgement.settingWouldAllow ? "could be allowed" : "never";
};

test("by default only public IP addresses are allowed", () => {
  expect(judge("", "http://a.test/", "93.184.216.34")).toBe("public");
  expect(judge("0", "http://a.test/", "10.0.0.1")).toBe("could be allowed");
  expect(judge("0", "http://a.test/", "169.254.1.1")).toBe("never");
});

test("1 allows private networks, but never link-local, metadata or reserved IP addresses", () => {
  for (const address of ["127.0.0.1", "10.1.2.3", "fd00::1"])
    expect(judge("1", "http://a.test/", address)).toBe("private");
  for (const address of ["169.254.169.254", "fe80::1", "fd00:ec2::254", "0.0.0.0", "::", "224.0.0.1"])
    expect(judge("1", "http://a.test/", address)).toBe("never");
});

test("a list allows the hosts and ranges that it names", () => {
  const setting = "nas.local, films.local:8080, 192.168.7.0/24, 10.0.0.5:81, [fd00::2]:82, fd01::/16";
  expect(judge(setting, "http://nas.local/", "10.9.9.9")).toBe("private");
  expect(judge(setting, "http://nas.local:99/", "10.9.9.9")).toBe("private");
  expect(judge(setting, "http://films.local:8080/", "10.9.9.9")).toBe("private");
  expect(judge(setting, "http://films.local/", "10.9.9.9")).toBe("could be allowed");
  expect(judge(setting, "http://192.168.7.20/", "192.168.7.20")).toBe("private");
  expect(judge(setting, "http://192.168.8.20/", "192.168.8.20")).toBe("could be allowed");
  expect(judge(setting, "http://10.0.0.5:81/", "10.0.0.5")).toBe("private");
  expect(judge(setting, "http://10.0.0.5/", "10.0.0.5")).toBe("could be allowed");
  expect(judge(setting, "http://[fd00::2]:82/", "fd00::2")).toBe("private");
  expect(judge(setting, "http://[fd01::9]/", "fd01::9")).toBe("private");
  expect(judge("169.254.0.0/16", "http://a.test/", "169.254.169.254")).toBe("never");
});

test("local mode allows only loopback, and only for requests from this machine", () => {
  expect(judge("", "http://localhost/", "127.0.0.1", true)).toBe("local");
  expect(judge("", "http://localhost/", "::1", true)).toBe("local");
  expect(judge("", "http://localhost/", "127.0.0.1", false)).toBe("could be allowed");
  expect(judge("", "http://a.test/", "10.0.0.1", true)).toBe("could be allowed");
  expect(judge("", "http://a.test/", "0.0.0.0", true)).toBe("never");
});

test.each([
  "2",
  "yes",
  "true",
  "off",
  "a b",
  "10.0.0.0/33",
  "host:0",
  "host:70000",
  "http://nas",
  "a/b",
  ",",
  "nas,,x",
])("%j is refused", (text) => expect(parsePrivateUpstreams(text)).toBeNull());

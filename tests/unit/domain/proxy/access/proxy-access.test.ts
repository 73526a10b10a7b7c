import { describe, expect, test } from "vitest";
import { createVideoProxyAccess } from "#app/domain/proxy/access/proxy-access.server.ts";

describe("createVideoProxyAccess", () => {
  const url = new URL("https://a.test/");

  test("without settings, every URL and host is allowed", () => {
    const open = createVideoProxyAccess({ secret: undefined, hosts: undefined });
    expect(open.isSigned("https://a.test/", [], undefined)).toBe(true);
    expect(open.isAllowedHost(url, new Set())).toBe(true);
    expect(open.addressOf("https://a.test/")).toBe("/api/videoProxy?url=https%3A%2F%2Fa.test%2F");
  });

  test("with `catalog` only registered hosts are allowed, and with an empty list none", () => {
    const closed = createVideoProxyAccess({ secret: undefined, hosts: ["catalog"] });
    expect(closed.asksCatalog).toBe(true);
    expect(closed.isAllowedHost(url, new Set(["a.test"]))).toBe(true);
    expect(closed.isAllowedHost(url, new Set(["b.test"]))).toBe(false);
    expect(createVideoProxyAccess({ secret: undefined, hosts: [] }).isAllowedHost(url, new Set())).toBe(
      false,
    );
  });

  test("a URL and definitions that join to the same text have different signatures", () => {
    const sign = createVideoProxyAccess({ secret: "s".repeat(32), hosts: undefined }).signFor(undefined);
    const signatures = [
      sign?.("https://a.test/", ["a=1", "b=2"]),
      sign?.("https://a.test/", ["a=1\nb=2"]),
      sign?.("https://a.test/\na=1", ["b=2"]),
      sign?.("https://a.test/\na=1\nb=2", []),
    ];
    expect(new Set(signatures).size).toBe(4);
  });

  test("a signature is valid only for its URL, definitions and secret", () => {
    const { signFor, isSigned } = createVideoProxyAccess({ secret: "s".repeat(32), hosts: undefined });
    const [, signature] =
      /^&sig=([\w-]{22})$/.exec(signFor(undefined)?.("https://a.test/", ["a=1"]) ?? "") ?? [];
    expect(signature).toBeDefined();
    expect(isSigned("https://a.test/", ["a=1"], signature)).toBe(true);
    for (const [url, definitions] of [
      ["https://a.test/x", ["a=1"]],
      ["https://a.test/", []],
      ["https://a.test/", ["a=1", "b=2"]],
    ] as const)
      expect(isSigned(url, definitions, signature)).toBe(false);
    const another = createVideoProxyAccess({ secret: "t".repeat(32), hosts: undefined });
    expect(another.isSigned("https://a.test/", ["a=1"], signature)).toBe(false);
  });
});

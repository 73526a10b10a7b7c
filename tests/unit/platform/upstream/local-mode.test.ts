import { expect, test } from "vitest";
import { isLocalMode, isLoopbackHost } from "#app/platform/upstream/local-mode.ts";

const local = { HOST: "127.0.0.1", TRUST_PROXY: 0 };

test("local mode needs a loopback HOST and no setting for visitors from outside", () => {
  expect(isLocalMode(local)).toBe(true);
  expect(isLocalMode({ ...local, HOST: "localhost" })).toBe(true);
  for (const changed of [
    { HOST: "0.0.0.0" },
    { PUBLIC_URL: "http://a.example" },
    { DATABASE_URL: "postgres://a" },
    { TRUST_PROXY: 1 },
    { ALLOW_PRIVATE_UPSTREAMS: "0" },
    { ALLOW_PRIVATE_UPSTREAMS: "1" },
  ])
    expect(isLocalMode({ ...local, ...changed }), JSON.stringify(changed)).toBe(false);
});

test("loopback hosts are recognized, and similar names are not", () => {
  for (const host of [
    "localhost",
    "LOCALHOST",
    "127.0.0.1",
    "127.9.9.9",
    "::1",
    "[::1]",
    "::ffff:127.0.0.1",
    "[::ffff:7f00:1]",
  ])
    expect(isLoopbackHost(host), host).toBe(true);
  for (const host of [
    "localhost.evil.example",
    "127.evil.example",
    "10.0.0.1",
    "::2",
    "0.0.0.0",
    "127.1",
    "",
  ])
    expect(isLoopbackHost(host), host).toBe(false);
});

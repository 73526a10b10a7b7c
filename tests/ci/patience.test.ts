import { setTimeout as pause } from "node:timers/promises";
import { expect, test } from "vitest";
import { startSite } from "#tests/support/site.ts";
import { startUpstream } from "#tests/support/upstream.ts";

/** Limits that take their time to be reached. */

test("a picture that comes at a byte a second is given up after 20 seconds in all", async () => {
  const upstream = await startUpstream(async (_request, response) => {
    while (!response.destroyed) {
      response.write("x");
      await pause(1000);
    }
  });
  const site = await startSite({ ALLOW_PRIVATE_UPSTREAMS: "127.0.0.1" });
  const response = await fetch(`${site.origin}/api/proxy?w=300&url=${upstream.origin}/drops`);
  expect(await response.json()).toEqual({
    error: "The server at this address timed out after 20 s",
    status: 500,
  });
  await site.stop();
});

import { setTimeout as pause } from "node:timers/promises";
import { expect, test } from "vitest";
import { startUpstream } from "#tests/support/servers/upstream.ts";
import { startSite } from "#tests/support/site/site-process.ts";

/** Time limits of pictures that take seconds to reach. */

test("a picture that arrives at one byte a second gets an error after 20 seconds", async () => {
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

test("an SVG whose filters would take hours is refused with 400 before it is drawn", async () => {
  const clouds = `<svg xmlns="http://www.w3.org/2000/svg" width="6000" height="6000"><filter id="f"><feTurbulence baseFrequency="0.01" numOctaves="5000"/></filter><rect width="6000" height="6000" filter="url(#f)"/></svg>`;
  const site = await startSite();
  const started = performance.now();
  const response = await fetch(`${site.origin}/api/proxy`, { method: "POST", body: clouds });
  expect(await response.json()).toEqual({ error: "This drawing is too complex to convert", status: 400 });
  expect(performance.now() - started).toBeLessThan(3000);
  await site.stop();
});

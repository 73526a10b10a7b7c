import { once } from "node:events";
import sharp from "sharp";
import { expect, test, vi } from "vitest";
import { seconds } from "#app/platform/units.ts";
import { startUpstream } from "#tests/support/servers/upstream.ts";
import { request } from "#tests/support/site/in-process.ts";

/** Pictures that arrive slowly, with a clock that the test advances. */

const photo = await sharp({ create: { width: 60, height: 40, channels: 3, background: "#2060c0" } })
  .jpeg()
  .toBuffer();
const half = photo.length >> 1;

let goOn = () => {};
const upstream = await startUpstream((received, response) => {
  const isLateBody = received.url?.startsWith("/late-body");
  if (isLateBody) response.writeHead(200, { "content-type": "image/jpeg" }).write(photo.subarray(0, half));
  goOn = () => response.end(isLateBody ? photo.subarray(half) : photo);
});

/** Asks for the picture, lets `waitMs` pass and returns the answer, or null if there is none yet. */
async function askAndWait(path: string, waitMs: number) {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  let early: Response | null = null;
  const answering = request(`/api/proxy?url=${encodeURIComponent(upstream.origin + path)}`).then(
    (response) => {
      early = response;
      return response;
    },
  );
  await once(upstream.server, "request");
  // Enough turns of the event loop for the beginning of the body to arrive.
  for (let turn = 0; turn < 20; turn++) await new Promise((resolve) => setImmediate(resolve));
  await vi.advanceTimersByTimeAsync(waitMs);
  return { early: early as Response | null, answering };
}

test.each(["/late-headers", "/late-body"])(
  "%s: a picture that arrives after 19 s is served",
  async (path) => {
    const { early, answering } = await askAndWait(path, seconds(19));
    expect(early).toBeNull();
    goOn();
    vi.useRealTimers();
    expect((await answering).status).toBe(200);
  },
);

test.each(["/late-headers?2", "/late-body?2"])(
  "%s: a picture that takes longer than 20 s gets 500, which says so",
  async (path) => {
    const { answering } = await askAndWait(path, seconds(21));
    vi.useRealTimers();
    expect(await (await answering).json()).toEqual({
      error: "The server at this address timed out after 20 s",
      status: 500,
    });
  },
);

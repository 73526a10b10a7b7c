import { expect, test, vi } from "vitest";

vi.hoisted(() => {
  Object.assign(process.env, {
    RATE_LIMIT_POINTS: "50",
    RATE_LIMIT_AUTH_POINTS: "5",
    RATE_LIMIT_CATALOG_POINTS: "70",
    RATE_LIMIT_VIDEO_POINTS: "900",
  });
});
const { limiters } = await import("#app/access/limits.server.ts");

test("each environment variable sets the limiters of its kind", () => {
  const { signin, deletion, listing, episode, typing, video, playback, page } = limiters;
  const maxima = [signin, deletion, listing, episode, typing, video, playback, page].map(
    ({ maxRequests }) => maxRequests,
  );
  expect(maxima).toEqual([5, 5, 70, 70, 420, 900, 50, 250]);
});

test("the listing's 429 and 500 have the nested error object of the specification", async () => {
  const shapes = [429, 500].map((status) => limiters.listing.errorShape({ status, message: "no" }));
  expect(await Promise.all(shapes.map((response) => response.json()))).toEqual([
    { error: { message: "no", type: "rate_limit", statusCode: 429 } },
    { error: { message: "no", type: "database", statusCode: 500 } },
  ]);
});

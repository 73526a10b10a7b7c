import { expect, test, vi } from "vitest";
import { limiters } from "#app/access/limits.server.ts";
import { chargeLimiter } from "#app/http/guards/rate-limit.server.ts";

vi.hoisted(() => {
  // No server listens on this port.
  process.env.REDIS_URL = "redis://127.0.0.1:1";
  process.env.LOG_LEVEL = "error";
});
vi.mock("#app/platform/limits/fixed-window.ts", () => ({
  createFixedWindow: () => ({
    hit() {
      throw new Error("no memory for 198.51.100.1");
    },
  }),
}));

test.each(["anime", "listing", "signin"] as const)(
  "%s: if Redis and memory both fail, the answer is the specification's 500",
  async (name) => {
    const said = vi.spyOn(process.stderr, "write").mockReturnValue(true);
    const { refusal } = await chargeLimiter({ name, ...limiters[name] }, "198.51.100.1");
    expect(refusal?.status).toBe(500);
    expect(refusal?.headers.get("Cache-Control")).toBe("no-store");
    expect(await refusal?.json()).toEqual({ error: "Internal server error", status: 500 });
    expect(said.mock.calls.join()).toContain("the rate limiter failed");
    expect(said.mock.calls.join()).not.toContain("198.51.100.1");
    said.mockRestore();
  },
);

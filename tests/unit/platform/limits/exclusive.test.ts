import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { holdAlone } from "#app/platform/limits/exclusive.server.ts";

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["performance"] });
});
afterEach(() => {
  vi.useRealTimers();
});

test("a name has one holder at a time, and is free after its release", async () => {
  const hold = await holdAlone("released");
  expect(hold).not.toBeNull();
  expect(await holdAlone("released")).toBeNull();
  expect(await holdAlone("another")).not.toBeNull();
  hold?.release();
  expect(await holdAlone("released")).not.toBeNull();
});

test("a name stays held while it is renewed, and is free a minute after the last renewal", async () => {
  const hold = await holdAlone("renewed");
  for (let renewal = 0; renewal < 5; renewal++) {
    vi.advanceTimersByTime(40_000);
    expect(await holdAlone("renewed")).toBeNull();
    hold?.renew();
  }
  vi.advanceTimersByTime(60_000);
  expect(await holdAlone("renewed")).not.toBeNull();
});

test("a holder whose time is over can neither renew nor release the next holder's name", async () => {
  const former = await holdAlone("passed on");
  vi.advanceTimersByTime(60_000);
  const next = await holdAlone("passed on");
  former?.release();
  expect(await holdAlone("passed on")).toBeNull();
  vi.advanceTimersByTime(30_000);
  former?.renew();
  vi.advanceTimersByTime(30_000);
  expect(await holdAlone("passed on")).not.toBeNull();
  next?.release();
  expect(await holdAlone("passed on")).toBeNull();
});

import { expect, test } from "vitest";
import { createTimeAllowance } from "#app/platform/limits/time-allowance.ts";
import { minutes, seconds } from "#app/platform/units.ts";

function newAllowance() {
  let now = 0;
  const allowance = createTimeAllowance(seconds(30), () => now);
  return {
    ...allowance,
    pass(ms: number) {
      now += ms;
    },
  };
}

test("a client that has used up its time waits, and another client does not", () => {
  const { waitMs, spend } = newAllowance();
  spend("203.0.113.1", seconds(29));
  expect(waitMs("203.0.113.1")).toBe(0);
  spend("203.0.113.1", seconds(6));
  expect(waitMs("203.0.113.1")).toBe(seconds(10));
  expect(waitMs("203.0.113.2")).toBe(0);
});

test("used time is returned evenly, so that all of it is available after the window", () => {
  const { waitMs, spend, pass } = newAllowance();
  spend("203.0.113.1", seconds(35));
  pass(seconds(9));
  expect(waitMs("203.0.113.1")).toBe(seconds(1));
  pass(seconds(2));
  expect(waitMs("203.0.113.1")).toBe(0);
  pass(minutes(1));
  spend("203.0.113.1", seconds(29));
  expect(waitMs("203.0.113.1")).toBe(0);
});

test("the blocks of one IPv6 network together have four times the time of one client", () => {
  const { waitMs, spend } = newAllowance();
  for (let block = 0; block < 5; block++) spend(`2001:db8:1:${block}::/64`, seconds(25));
  expect(waitMs("2001:db8:1:99::/64")).toBeGreaterThan(0);
  expect(waitMs("2001:db8:2:1::/64")).toBe(0);
});

import { expect, test } from "vitest";
import { isStoppedCode } from "#app/platform/process/stop-signals.server.ts";

test("a tool that Ctrl-C, a closed terminal or a service manager stopped did not fail", () => {
  expect([129, 130, 143].every(isStoppedCode)).toBe(true);
  expect([0, 1, 2, 137, null].some(isStoppedCode)).toBe(false);
});

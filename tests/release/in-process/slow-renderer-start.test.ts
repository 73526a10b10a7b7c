import { readdirSync, readFileSync } from "node:fs";
import { expect, test, vi } from "vitest";
import { seconds } from "#app/platform/units.ts";
import { until } from "#tests/support/checks/wait-until.ts";
import { request } from "#tests/support/site/in-process.ts";

/** This process's children that convert pictures. */
const renderers = () =>
  readdirSync("/proc").filter((name) => {
    try {
      return (
        readFileSync(`/proc/${name}/cmdline`, "utf8").includes("render-child") &&
        readFileSync(`/proc/${name}/status`, "utf8").includes(`PPid:\t${process.pid}\n`)
      );
    } catch {
      return false;
    }
  });

test("a process that starts more slowly than a drawing may convert still converts the drawing", async () => {
  const body = '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>';
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  const answer = request("/api/proxy?w=9", { method: "POST", body });
  await until(() => renderers().length > 0);
  // The first process got the drawing, and another may start as a spare.
  const [pid] = renderers()
    .map(Number)
    .sort((one, other) => one - other);
  process.kill(pid!, "SIGSTOP");
  // A drawing may take five seconds to convert.
  await vi.advanceTimersByTimeAsync(seconds(6));
  process.kill(pid!, "SIGCONT");
  vi.useRealTimers();
  expect((await answer).status).toBe(200);
});

import { expect, test } from "vitest";
import { tool } from "#app/cli/demo.ts";
import { Visitor } from "#tests/support/requests/visitor.ts";
import { runToolInProcess } from "#tests/support/site/tools-in-process.ts";

test("after the demo command, its member can sign in and has a list, a resume point and histories", async () => {
  const { stdout } = await runToolInProcess(tool, ["--json"]);
  const { email, password } = JSON.parse(stdout) as { email: string; password: string };
  const visitor = new Visitor();
  expect((await visitor.request("/api/auth/signin", { json: { email, password } })).status).toBe(200);
  const count = async (path: string) =>
    ((await (await visitor.request(path)).json()) as { data: unknown[] }).data.length;
  expect(await count("/api/user/watchList")).toBe(4);
  expect(await count("/api/user/continueWatching")).toBeGreaterThan(0);
  expect(await count("/api/user/watchHistory")).toBe(1);
  expect(await count("/api/user/searchHistory")).toBe(2);
});

import { execFileSync } from "node:child_process";
import { expect, test } from "vitest";
import { Visitor } from "#tests/support/requests/visitor.ts";

test("after the demo command, its member can sign in and has a list, a resume point and histories", {
  timeout: 60_000,
}, async () => {
  const out = execFileSync(process.execPath, ["build/server/demo.js", "--json"], { encoding: "utf8" });
  const { email, password } = JSON.parse(out) as { email: string; password: string };
  const visitor = new Visitor();
  expect((await visitor.request("/api/auth/signin", { json: { email, password } })).status).toBe(200);
  const count = async (path: string) =>
    ((await (await visitor.request(path)).json()) as { data: unknown[] }).data.length;
  expect(await count("/api/user/watchList")).toBe(4);
  expect(await count("/api/user/continueWatching")).toBeGreaterThan(0);
  expect(await count("/api/user/watchHistory")).toBe(1);
  expect(await count("/api/user/searchHistory")).toBe(2);
});

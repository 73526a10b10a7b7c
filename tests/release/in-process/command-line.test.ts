import { readdirSync } from "node:fs";
import { expect, test } from "vitest";
import { spawnTool } from "#tests/support/site/command-line-tools.ts";

const tools = readdirSync("app/cli").map((name) => name.replace(/\.ts$/, ""));

test.each(tools)("the process of %s exits with 2 for an unknown option and prints no stack", async (name) => {
  const nonsense = await spawnTool(name, ["--nonsense"]);
  expect(nonsense).toMatchObject({ code: 2, stdout: "", stderr: expect.stringContaining("--nonsense") });
  expect(nonsense.stderr).not.toContain("    at ");
});

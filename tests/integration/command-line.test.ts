import { execFile } from "node:child_process";
import { readdirSync } from "node:fs";
import { resolve } from "node:path";
import { expect, test } from "vitest";

/** What the operating guide promises for every command-line tool. */

const tools = readdirSync("app/cli").map((file) => file.replace(/\.ts$/, ""));

const run = (tool: string, word: string) =>
  new Promise<{ status: number | null; stdout: string; stderr: string }>((settle) => {
    const child = execFile(
      process.execPath,
      [resolve(`build/server/${tool}.js`), word],
      (_error, stdout, stderr) => settle({ status: child.exitCode, stdout, stderr }),
    );
  });

test.each(tools)(
  "%s --help prints its help and exits with 0, and an unknown option exits with 2",
  {
    timeout: 30_000,
  },
  async (tool) => {
    const [help, nonsense] = await Promise.all([run(tool, "--help"), run(tool, "--nonsense")]);
    expect(help).toMatchObject({ status: 0, stdout: expect.stringContaining("Exit codes:"), stderr: "" });
    expect(nonsense).toMatchObject({ status: 2, stdout: "", stderr: expect.stringContaining("--nonsense") });
    expect(nonsense.stderr).not.toContain("    at ");
  },
);

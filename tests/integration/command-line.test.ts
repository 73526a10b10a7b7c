import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { PassThrough, Readable, Writable } from "node:stream";
import { text } from "node:stream/consumers";
import { expect, test } from "vitest";
import { tool as backup } from "#app/cli/backup.ts";
import { tool as catalogExport } from "#app/cli/catalog-export.ts";
import { tool as catalogFeeds } from "#app/cli/catalog-feeds.ts";
import { tool as catalogImport } from "#app/cli/catalog-import.ts";
import { tool as config } from "#app/cli/config.ts";
import { tool as demo } from "#app/cli/demo.ts";
import { tool as restore } from "#app/cli/restore.ts";
import { tool as sources } from "#app/cli/sources.ts";
import { tool as user } from "#app/cli/user.ts";
import { CannotStart } from "#app/platform/process/cannot-start.server.ts";
import { env } from "#app/platform/process/env.server.ts";
import { type AnyTool, exitCodeOf } from "#app/platform/process/run-tool.server.ts";
import { temporaryFolder } from "#tests/support/setup/temporary-folder.ts";
import { runToolInProcess } from "#tests/support/site/tools-in-process.ts";

/** The operating guide's promises for every command-line tool. tests/release starts each tool as a process. */

const tools: Record<string, AnyTool> = {
  backup,
  "catalog-export": catalogExport,
  "catalog-feeds": catalogFeeds,
  "catalog-import": catalogImport,
  config,
  demo,
  restore,
  sources,
  user,
};

test("this test names every tool", () => {
  expect(readdirSync("app/cli").sort()).toEqual(Object.keys(tools).map((name) => `${name}.ts`));
});

test.each(Object.entries(tools))(
  "%s --help prints its help and exits with 0, and an unknown option exits with 2",
  async (_name, tool) => {
    const help = await runToolInProcess(tool, ["--help"]);
    expect(help).toMatchObject({ code: 0, stdout: expect.stringContaining("Exit codes:"), stderr: "" });
    const nonsense = await runToolInProcess(tool, ["--nonsense"]);
    const refusal = "Unknown option '--nonsense'\nRun it with --help to see the options.\n";
    expect(nonsense).toMatchObject({ code: 2, stdout: "", stderr: refusal });
  },
);

test("restore exits with 1 if there is no such file", async () => {
  expect(await runToolInProcess(restore, ["/no/such/file"])).toMatchObject({ code: 1 });
});

test("backup makes its own folder and no other", async () => {
  const parent = temporaryFolder("backup");
  const missing = join(parent, "not mounted");
  expect(await runToolInProcess(backup, [join(missing, "engawa.gz")])).toMatchObject({
    code: 1,
    stderr: expect.stringContaining(`The folder ${missing} does not exist.`),
  });
  expect(existsSync(missing)).toBe(false);
  const own = join(env.DATA_DIR, "backups");
  rmSync(own, { recursive: true, force: true });
  expect(await runToolInProcess(backup, [join(own, "engawa.gz")])).toMatchObject({ code: 0 });
});

test("backup refuses a folder before it writes anything", async () => {
  const parent = temporaryFolder("backup");
  const folder = join(parent, "folder");
  mkdirSync(folder);
  expect(await runToolInProcess(backup, [folder])).toMatchObject({
    code: 1,
    stderr: `${folder} is a folder or a device. Name the file of a backup\n`,
  });
  expect(readdirSync(parent)).toEqual(["folder"]);
});

test("catalog:export into a missing folder, or over a folder, exits with 1 and one line that says so", async () => {
  const folder = temporaryFolder("export");
  const missing = join(folder, "missing");
  expect(await explainedRun(catalogExport, [join(missing, "catalog.gz")])).toBe(
    `The folder ${missing} does not exist`,
  );
  expect(await explainedRun(catalogExport, [folder])).toMatch(/ is a folder\. Name a file\.$/);
});

/** The line that `runTool` prints for an error that the operator can fix. */
const explainedRun = (tool: AnyTool, toolArguments: string[]) =>
  runToolInProcess(tool, toolArguments).then(String, async (error) => {
    const explained = await tool.explain?.(error);
    expect(explained).toBeInstanceOf(CannotStart);
    return (explained as CannotStart).message;
  });

test.each([
  ["config", config, ["--help"], "ENOSPC"],
  ["catalog-export", catalogExport, [], "EPIPE"],
])("%s exits with 1 and one line if its output cannot be written", async (_name, tool, words, code) => {
  const stdout = new Writable({
    write: (_chunk, _encoding, done) => done(Object.assign(new Error("not written"), { code })),
  });
  const stderr = new PassThrough();
  expect(
    await exitCodeOf<AnyTool["options"]>(tool, words, { stdin: Readable.from([]), stdout, stderr }),
  ).toBe(1);
  expect(await text(stderr.end())).toBe(`The output could not be written (${code})\n`);
});

test.each([
  ["in its last row", (backup: Buffer) => backup.subarray(0, -200)],
  ["in its header", (backup: Buffer) => backup.subarray(0, 200)],
])("a backup truncated %s makes restore exit with 1 and one sentence", async (_, cut) => {
  const folder = temporaryFolder("restore");
  const [whole, broken] = [join(folder, "whole.gz"), join(folder, "cut.gz")];
  expect(await runToolInProcess(backup, [whole])).toMatchObject({ code: 0 });
  writeFileSync(broken, cut(readFileSync(whole)));
  const refused = await runToolInProcess(restore, [broken, "--replace"]);
  expect(refused).toMatchObject({ code: 1, stdout: "" });
  expect(refused.stderr).toMatch(/^[^\n]*backup[^\n]*\n$/);
});

import { spawn } from "node:child_process";
import { resolve } from "node:path";
import { PassThrough, Readable } from "node:stream";
import { text } from "node:stream/consumers";
import { type AnyTool, exitCodeOf } from "#app/platform/process/run-tool.server.ts";

type Ran = { code: number; stdout: string; stderr: string };

/** Runs a command-line tool in this process, because a process of its own takes a second to start. */
export async function runTool(tool: AnyTool, toolArguments: string[], input = ""): Promise<Ran> {
  const [stdout, stderr] = [new PassThrough(), new PassThrough()];
  const output = Promise.all([text(stdout), text(stderr)]);
  const streams = { stdin: Readable.from([input]), stdout, stderr };
  const code = await exitCodeOf(tool, toolArguments, streams).finally(() => {
    stdout.end();
    stderr.end();
  });
  const [out, err] = await output;
  return { code, stdout: out, stderr: err };
}

/** Runs a command-line tool as an operator does, in its own process. */
export async function spawnTool(name: string, toolArguments: string[], input = ""): Promise<Ran> {
  const child = spawn(process.execPath, [resolve(`build/server/${name}.js`), ...toolArguments], {
    env: { ...process.env, LOG_LEVEL: "debug" },
  });
  child.stdin.end(input);
  const closed = new Promise<number>((settle) => child.on("close", (code) => settle(code ?? -1)));
  const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr)]);
  return { code: await closed, stdout, stderr };
}

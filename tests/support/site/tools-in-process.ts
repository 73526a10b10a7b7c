import { PassThrough, Readable } from "node:stream";
import { text } from "node:stream/consumers";
import { type AnyTool, exitCodeOf } from "#app/platform/process/run-tool.server.ts";

export type ToolResult = { code: number; stdout: string; stderr: string };

/** Runs a command-line tool in this process, because a process of its own takes a second to start. */
export async function runToolInProcess(
  tool: AnyTool,
  toolArguments: string[],
  input = "",
): Promise<ToolResult> {
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

import { constants } from "node:os";
import type { Readable, Writable } from "node:stream";
import { type ParseArgsConfig, parseArgs } from "node:util";
import { logToStderr } from "../log.server.ts";
import { printError } from "./cannot-start.server.ts";
import { killChildren } from "./child-life.server.ts";
import { onStopSignal } from "./stop-signals.server.ts";

type Options = NonNullable<ParseArgsConfig["options"]>;
/** The flags that a tool with these options was called with. */
export type FlagsOf<Declared extends Options> = ReturnType<typeof parseArgs<{ options: Declared }>>["values"];

/** The result of a tool. `text` is printed, or `json` if the tool was called with --json. */
export type ToolAnswer = { text: string; json: unknown };
type ToolOutcome = { ok: true; value: ToolAnswer } | { ok: false; reason: string; message?: string };

/** The streams that a tool reads and writes: those of this process, or those of a test. */
export type Streams = { stdin: Readable; stdout: Writable; stderr: Writable };

type Tool<Declared extends Options> = {
  usage: string;
  /** Every tool also accepts --help. */
  options: Declared;
  allowPositionals?: boolean;
  /** Returns an outcome, which is printed here, or an exit code if the tool prints by itself. */
  run(words: string[], flags: FlagsOf<Declared>, streams: Streams): Promise<ToolOutcome | number>;
  close?: () => Promise<void>;
  /** Turns an error that the operator can fix into a CannotStart. */
  explain?: (error: unknown) => Promise<unknown>;
};

export type AnyTool = Tool<Options>;

/** Gives `run` the types of the flags that `options` declares. */
export const defineTool = <const Declared extends Options>(tool: Tool<Declared>) => tool;

/** Thrown by a tool for arguments that it does not understand. Without a message, the tool's usage is printed. */
export class UsageError extends Error {
  override name = "UsageError";
}

/**
 * Runs a command-line tool and exits with 0 (done), 1 (refused), 2 (not understood), or 128 plus the signal's number.
 * The exit is explicit, because the database driver may keep a connecting socket that holds the process open.
 */
export async function runTool<const Declared extends Options>(tool: Tool<Declared>): Promise<never> {
  logToStderr();
  const interrupted = new Promise<number>((resolve) => {
    onStopSignal((signal, hurry) => {
      const exitCode = 128 + constants.signals[signal];
      hurry.addEventListener("abort", () => process.exit(exitCode));
      resolve(exitCode);
    });
  });
  // Closing the database makes the work of an interrupted tool fail, which is not an error to print.
  let isOver = false;
  const ended = exitCodeOf(tool, process.argv.slice(2), process).catch(async (error) => {
    if (!isOver) printError((await tool.explain?.(error)) ?? error);
    return 1;
  });
  const code = await Promise.race([ended, interrupted]);
  isOver = true;
  killChildren();
  await tool.close?.();
  await new Promise<void>((resolve) => process.stdout.write("", () => resolve()));
  process.exit(code);
}

/**
 * Runs a tool without ending the process. Rethrows the tool's errors, except for arguments that are not understood and
 * for output that could not be written.
 */
export async function exitCodeOf<const Declared extends Options>(
  tool: Tool<Declared>,
  toolArguments: string[],
  streams: Streams,
): Promise<number> {
  const { stdout } = streams;
  let outputError: NodeJS.ErrnoException | undefined;
  stdout.on("error", (error) => {
    outputError ??= error;
  });
  try {
    const code = await answer(tool, toolArguments, streams);
    outputError ??= await new Promise((resolve) => stdout.write("", (error) => resolve(error ?? undefined)));
    return outputError ? refuseOutput(outputError, streams) : code;
  } catch (error) {
    if (outputError) return refuseOutput(outputError, streams);
    const isParseError = (error as { code?: string }).code?.startsWith("ERR_PARSE_ARGS");
    if (!isParseError && !(error instanceof UsageError)) throw error;
    // Node's advice about arguments that begin with a hyphen: no tool takes them.
    const message = (error as Error).message.replace(/\. To specify a positional argument .*/s, "");
    streams.stderr.write(
      message === "" ? tool.usage : `${message}\nRun it with --help to see the options.\n`,
    );
    return 2;
  }
}

/** The disk is full, or the program that reads the output has ended. The output is incomplete. */
function refuseOutput({ code, message }: NodeJS.ErrnoException, { stderr }: Streams): number {
  stderr.write(`The output could not be written (${code ?? message})\n`);
  return 1;
}

async function answer<Declared extends Options>(
  { usage, options, allowPositionals = false, run }: Tool<Declared>,
  toolArguments: string[],
  streams: Streams,
): Promise<number> {
  const { values, positionals } = parseArgs({
    args: toolArguments,
    options: { ...options, help: { type: "boolean" } },
    allowPositionals,
  });
  const { help, json } = values as { help?: boolean; json?: boolean };
  if (help) {
    streams.stdout.write(usage);
    return 0;
  }
  const outcome = await run(positionals, values as FlagsOf<Declared>, streams);
  if (typeof outcome === "number") return outcome;
  if (!outcome.ok) {
    streams.stderr.write(`${printable(outcome.message ?? outcome.reason)}\n`);
    return 1;
  }
  const { value } = outcome;
  streams.stdout.write(`${json ? JSON.stringify(value.json, null, 2) : printable(value.text)}\n`);
  return 0;
}

/**
 * Replaces control characters. File names and titles can contain characters that move a terminal's cursor or reverse
 * the reading direction.
 */
export const printable = (text: string) =>
  text.replace(/[\p{Cc}\p{Bidi_Control}]/gu, (found) =>
    found === "\n" || found === "\t" ? found : "\ufffd",
  );

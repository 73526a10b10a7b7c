import { type ParseArgsConfig, parseArgs } from "node:util";
import { logToStderr } from "../log.server.ts";
import { endProcess } from "./cannot-start.server.ts";

type Options = NonNullable<ParseArgsConfig["options"]>;
/** The flags that a tool with these options was called with. */
export type FlagsOf<Declared extends Options> = ReturnType<typeof parseArgs<{ options: Declared }>>["values"];

/** The result of a tool. `text` is printed, or `json` if the tool was called with --json. */
export type ToolAnswer = { text: string; json: unknown };
type ToolOutcome = { ok: true; value: ToolAnswer } | { ok: false; reason: string; message?: string };

type Tool<Declared extends Options> = {
  usage: string;
  /** Every tool also accepts --help. */
  options: Declared;
  allowPositionals?: boolean;
  /** Returns an outcome that is printed here, or an exit code if the tool prints by itself. */
  run: (words: string[], flags: FlagsOf<Declared>) => Promise<ToolOutcome | number>;
  close?: () => Promise<void>;
};

/** A tool throws this for arguments that it does not understand. Without a message, its usage is printed. */
export class NotUnderstood extends Error {
  override name = "NotUnderstood";
}

/**
 * Runs a command-line tool and exits with 0 (done), 1 (refused) or 2 (not understood). It exits explicitly, because the
 * database driver may keep a connecting socket that holds the process open.
 */
export async function runTool<const Declared extends Options>(tool: Tool<Declared>): Promise<never> {
  const code = await exitCodeOf(tool).catch((error: unknown) => {
    const isUnknownFlag = (error as { code?: string }).code?.startsWith("ERR_PARSE_ARGS");
    if (!isUnknownFlag && !(error instanceof NotUnderstood)) return endProcess(error);
    const { message } = error as Error;
    process.stderr.write(
      message === "" ? tool.usage : `${message}\nRun it with --help to see the options.\n`,
    );
    return 2;
  });
  await tool.close?.();
  await new Promise<void>((resolve) => process.stdout.write("", () => resolve()));
  process.exit(code);
}

async function exitCodeOf<Declared extends Options>(tool: Tool<Declared>): Promise<number> {
  const { options, allowPositionals = false } = tool;
  const { values, positionals } = parseArgs({
    options: { ...options, help: { type: "boolean" } },
    allowPositionals,
  });
  const { help, json } = values as { help?: boolean; json?: boolean };
  if (help) {
    process.stdout.write(tool.usage);
    return 0;
  }
  logToStderr();
  const outcome = await tool.run(positionals, values as FlagsOf<Declared>);
  if (typeof outcome === "number") return outcome;
  if (!outcome.ok) {
    process.stderr.write(`${outcome.message ?? outcome.reason}\n`);
    return 1;
  }
  const { value } = outcome;
  process.stdout.write(`${json ? JSON.stringify(value.json, null, 2) : value.text}\n`);
  return 0;
}

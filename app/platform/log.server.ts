import { env } from "./process/env.server.ts";

/**
 * Writes one JSON line for each event, or readable text on a terminal. Never log a body, cookie, email, code or proxied
 * query.
 */
type Level = "debug" | "info" | "warn" | "error";
type Fields = Record<string, string | number | boolean | null | undefined>;

const rank: Record<Level, number> = { debug: 10, info: 20, warn: 30, error: 40 };
const warnedKeys = new Set<string>();

let isToStderr = false;

/** For command-line tools: scripts read their standard output, so log lines must not appear there. */
export function logToStderr() {
  isToStderr = true;
}

function write(level: Level, message: string, fields?: Fields) {
  if (rank[level] >= rank[env.LOG_LEVEL]) writeLine(level, message, fields);
}

function writeLine(level: Level, message: string, fields: Fields = {}) {
  const stream = isToStderr || level === "error" || level === "warn" ? process.stderr : process.stdout;
  if (process.stdout.isTTY) stream.write(readable(level, message, fields));
  else if (stream === process.stdout) writeSoon(asJson(level, message, fields));
  else stream.write(asJson(level, message, fields));
}

/** Writing to a pipe blocks the process, so all lines of one turn of the event loop are written together. */
let pendingLines = "";

function writeSoon(line: string) {
  if (pendingLines === "") setImmediate(writePending);
  pendingLines += line;
}

function writePending() {
  if (pendingLines !== "") process.stdout.write(pendingLines);
  pendingLines = "";
}

process.on("exit", writePending);
// If the reader of the log ends (a tool behind a pipe, a journal that restarts), the stream emits an error, which would
// end the process without a listener.
for (const stream of [process.stdout, process.stderr]) stream.on("error", () => {});

const asJson = (level: Level, message: string, fields: Fields) =>
  `${JSON.stringify({ time: new Date().toISOString(), level, message, ...fields })}\n`;

function readable(level: Level, message: string, fields: Fields) {
  const details = Object.entries(fields)
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => `${name}=${value}`)
    .join(" ");
  return `${new Date().toISOString().slice(11, 19)} ${level === "info" ? "" : `${level}: `}${message}${details && `  ${details}`}\n`;
}

export const log = {
  debug: (message: string, fields?: Fields) => write("debug", message, fields),
  info: (message: string, fields?: Fields) => write("info", message, fields),
  warn: (message: string, fields?: Fields) => write("warn", message, fields),
  error: (message: string, fields?: Fields) => write("error", message, fields),
  /**
   * For the start notice: plain text on a terminal, a JSON line elsewhere. LOG_LEVEL does not hide it, because a new
   * operator needs its link.
   */
  plain(line: string) {
    if (process.stdout.isTTY) process.stdout.write(`${line}\n`);
    else writeLine("info", line.trim());
  },
  /** Logs the warning at most once in a process, for conditions that last. */
  warnOnce(key: string, message: string, fields?: Fields) {
    if (warnedKeys.has(key)) return;
    warnedKeys.add(key);
    write("warn", message, fields);
  },
};

/** Runs work that no answer waits for. A failure is logged, because an unhandled rejection would end the process. */
export function inBackground(what: string, work: Promise<unknown>): void {
  work.catch((error) => log.warn(`${what} failed`, errorFields(error)));
}

/** The parts of an error that may be logged: names, code and stack. The message may contain the values of a query. */
export function errorFields(error: unknown): Fields {
  if (!(error instanceof Error)) return { error: typeof error };
  const names: string[] = [];
  let code: unknown;
  for (let one: unknown = error; one instanceof Error && names.length < 5; one = one.cause) {
    names.push(one.name);
    code = (one as { code?: unknown }).code ?? code;
  }
  const frames = error.stack
    ?.split("\n")
    .filter((line) => line.trimStart().startsWith("at "))
    .slice(0, 4)
    .map((line) => line.trim());
  return {
    error: names.join(" < "),
    code: typeof code === "string" ? code : undefined,
    at: frames?.join(" < "),
  };
}

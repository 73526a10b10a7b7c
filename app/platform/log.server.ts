import { env } from "./process/env.server.ts";

/** One JSON line an event; readable ones on a terminal. Never a body, cookie, e-mail, code or proxied query. */
type Level = "debug" | "info" | "warn" | "error";
type Fields = Record<string, string | number | boolean | null | undefined>;

const rank: Record<Level, number> = { debug: 10, info: 20, warn: 30, error: 40 };
const told = new Set<string>();

let isAside = false;

/** For command-line tools, whose standard output is the answer and nothing else. */
export function logAside() {
  isAside = true;
}

function write(level: Level, message: string, fields: Fields = {}) {
  if (rank[level] < rank[env.LOG_LEVEL]) return;
  const stream = isAside || level === "error" || level === "warn" ? process.stderr : process.stdout;
  if (process.stdout.isTTY) stream.write(readable(level, message, fields));
  else if (stream === process.stdout) writeSoon(asJson(level, message, fields));
  else stream.write(asJson(level, message, fields));
}

/** Writing to a pipe stops the whole process for a moment: lines of one turn of the event loop go out together. */
let waiting = "";

function writeSoon(line: string) {
  if (waiting === "") setImmediate(writeWaiting);
  waiting += line;
}

function writeWaiting() {
  if (waiting !== "") process.stdout.write(waiting);
  waiting = "";
}

process.on("exit", writeWaiting);
// Whoever reads the log may go (a pipe into a tool, a journal that restarts): the service stays.
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
  /** For somebody who watches the start: words as they are on a terminal, a line like any other elsewhere. */
  plain(line: string) {
    if (process.stdout.isTTY) process.stdout.write(`${line}\n`);
    else write("info", line.trim());
  },
  /** Said once a process: for what an operator should know and need not hear again. */
  warnOnce(key: string, message: string, fields?: Fields) {
    if (told.has(key)) return;
    told.add(key);
    write("warn", message, fields);
  },
};

/** Runs work that no answer waits for. A failure is logged, because an unhandled rejection would end the process. */
export function inBackground(what: string, work: Promise<unknown>): void {
  work.catch((error) => log.warn(`${what} failed`, errorFields(error)));
}

/** What may be logged of an error: its names, code and place, never its message, which may carry parameters. */
export function errorFields(error: unknown): Fields {
  if (!(error instanceof Error)) return { error: typeof error };
  const names: string[] = [];
  let code: unknown;
  for (let one: unknown = error; one instanceof Error && names.length < 5; one = one.cause) {
    names.push(one.name);
    code = (one as { code?: unknown }).code ?? code;
  }
  const place = error.stack
    ?.split("\n")
    .filter((line) => line.trimStart().startsWith("at "))
    .slice(0, 4)
    .map((line) => line.trim());
  return {
    error: names.join(" < "),
    code: typeof code === "string" ? code : undefined,
    at: place?.join(" < "),
  };
}

import { createHash, randomBytes } from "node:crypto";
import {
  closeSync,
  fsyncSync,
  linkSync,
  mkdirSync,
  openSync,
  readFileSync,
  rmSync,
  writeSync,
} from "node:fs";
import { join } from "node:path";
import { env } from "./env.server.ts";

/** A secret that nobody can guess: a session, a token, a mailed link. */
export const newSecret = () => randomBytes(32).toString("base64url");

/** What the database keeps of a secret, so that somebody who reads the database cannot use it. */
export const secretHash = (secret: string) => createHash("sha256").update(secret).digest("hex");

let known: readonly string[] | undefined;

/** What signs cookies: SESSION_SECRET, or a secret made at the first start and kept in DATA_DIR. The first signs, all verify. */
export function getSigningSecrets(): [string, ...string[]] {
  known ??= env.SESSION_SECRET ?? [readOrCreateSecret(env.DATA_DIR)];
  return known as [string, ...string[]];
}

/** Two processes that start at once agree: whoever links the finished file first is the one both read. */
export function readOrCreateSecret(folder: string): string {
  const file = join(folder, "session-secret");
  const read = () => readFileSync(file, "utf8").trim();
  try {
    return read();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw error;
  }
  mkdirSync(folder, { recursive: true });
  const draft = `${file}.${process.pid}.${randomBytes(4).toString("hex")}`;
  writeDurably(draft, `${newSecret()}\n`);
  try {
    linkSync(draft, file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
  } finally {
    rmSync(draft, { force: true });
  }
  return read();
}

function writeDurably(file: string, text: string) {
  const handle = openSync(file, "wx", 0o600);
  try {
    writeSync(handle, text);
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
}

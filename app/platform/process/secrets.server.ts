import { createHash, randomBytes, timingSafeEqual } from "node:crypto";
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

/** A random secret for a session, a token or a mailed link. */
export const newSecret = () => randomBytes(32).toString("base64url");

/** The database stores only this hash, so that a reader of the database cannot use the secret. */
export const secretHash = (secret: string) => createHash("sha256").update(secret).digest("hex");

/** The secret in the fragment of a link. People paste the link as well as the secret alone. */
export const secretInLink = (typed: string) => typed.trim().split("#").at(-1) ?? "";

/** Compares in constant time, so that the time of an answer does not tell how much of a guess is right. */
export function isSameSecret(given: string, expected: string): boolean {
  const [one, other] = [Buffer.from(given), Buffer.from(expected)];
  return one.length === other.length && timingSafeEqual(one, other);
}

let signingSecrets: readonly string[] | undefined;

/**
 * The secrets for cookies: SESSION_SECRET, or one that the first start creates in DATA_DIR. The first secret signs, all
 * of them verify.
 */
export function getSigningSecrets(): [string, ...string[]] {
  signingSecrets ??= env.SESSION_SECRET ?? [readOrCreateSecret(env.DATA_DIR)];
  return signingSecrets as [string, ...string[]];
}

/** Whether `sign` makes this signature with one of the secrets. */
export const isSignedByUs = (signature: string, sign: (secret: string) => string): boolean =>
  getSigningSecrets().some((secret) => isSameSecret(signature, sign(secret)));

/**
 * Writes the complete file and then links it. If two processes start together, both read the file that was linked
 * first.
 */
export function readOrCreateSecret(folder: string, name = "session-secret"): string {
  const file = join(folder, name);
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

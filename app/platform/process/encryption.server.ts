import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes } from "node:crypto";
import { getSigningSecrets } from "./secrets.server.ts";

/**
 * Encrypts short texts for the database and for addresses with keys derived from SESSION_SECRET. The first secret
 * encrypts, all secrets decrypt. `context` names what the text belongs to. A text that is moved to another row does not
 * decrypt there.
 */

const algorithm = "aes-256-gcm";
const ivLength = 12;
const tagLength = 16;

export const encrypt = (text: string, context: readonly string[]): string =>
  encryptWith(randomBytes(ivLength), text, context);

/**
 * The same text always gives the same result, on all instances, so that it can be part of an address that caches store.
 */
export function encryptAlike(text: string, context: readonly string[]): string {
  const digest = keyedHash(getSigningSecrets()[0], "encrypting alike", JSON.stringify([...context, text]));
  return encryptWith(digest.digest().subarray(0, ivLength), text, context);
}

function encryptWith(iv: Buffer, text: string, context: readonly string[]): string {
  const [secret] = getSigningSecrets();
  const cipher = createCipheriv(algorithm, keyOf(secret), iv).setAAD(contextBytes(context));
  const encrypted = Buffer.concat([cipher.update(text, "utf8"), cipher.final()]);
  return Buffer.concat([iv, cipher.getAuthTag(), encrypted]).toString("base64url");
}

/** Null if none of the secrets encrypted the text, or if it was changed. */
export function decrypt(encrypted: string, context: readonly string[]): string | null {
  const bytes = Buffer.from(encrypted, "base64url");
  if (bytes.length < ivLength + tagLength) return null;
  for (const secret of getSigningSecrets()) {
    const decipher = createDecipheriv(algorithm, keyOf(secret), bytes.subarray(0, ivLength), {
      authTagLength: tagLength,
    })
      .setAAD(contextBytes(context))
      .setAuthTag(bytes.subarray(ivLength, ivLength + tagLength));
    try {
      const start = decipher.update(bytes.subarray(ivLength + tagLength));
      return Buffer.concat([start, decipher.final()]).toString("utf8");
    } catch {
      // Encrypted with another secret, so the next one is tried.
    }
  }
  return null;
}

const contextBytes = (context: readonly string[]) => Buffer.from(JSON.stringify(context));

const keyOf = (secret: string) => deriveKey(secret, "encryption");

const derivedKeys = new Map<string, Buffer>();

/** The hash (HMAC) of a text that only this site can make, with a key for this purpose. */
export const keyedHash = (secret: string, purpose: string, text: string) =>
  createHmac("sha256", deriveKey(secret, purpose)).update(text);

/** Each purpose has its own key, so that a value shown to clients reveals nothing about other purposes. */
function deriveKey(secret: string, purpose: string): Buffer {
  const name = JSON.stringify([secret, purpose]);
  const key = derivedKeys.get(name) ?? Buffer.from(hkdfSync("sha256", secret, "", `engawa ${purpose}`, 32));
  derivedKeys.set(name, key);
  return key;
}

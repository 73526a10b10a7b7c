import { createHmac } from "node:crypto";
import { deriveKey } from "#app/platform/process/encryption.server.ts";
import { getSigningSecrets, isSameSecret } from "#app/platform/process/secrets.server.ts";
import { days } from "#app/platform/units.ts";

/**
 * A reference in a proxy URL names the source whose headers the upstream gets. Its signature covers the URL, because a
 * viewer must not choose what is fetched with the operator's credentials. The reference expires, because URLs are
 * passed on.
 */

/** A reference is valid in the period that it was made in and in the next one. */
const periodMs = days(2);
const periodOf = (now: number) => Math.floor(now / periodMs);

type SignedContent = { sourceId: string; url: string; definitions: readonly string[] };

export function referenceTo(signed: SignedContent, now = Date.now()): string {
  const [secret] = getSigningSecrets();
  return `${signed.sourceId}.${signatureOf(signed, secret, periodOf(now))}`;
}

/** Returns the id of the source; null if this site did not make the reference for this URL, or made it too long ago. */
export function readReference(
  reference: string,
  { url, definitions }: Omit<SignedContent, "sourceId">,
  now = Date.now(),
): string | null {
  const [, sourceId, signature] = /^([\da-f-]{36})\.([\w-]{22})$/.exec(reference) ?? [];
  if (sourceId === undefined || signature === undefined) return null;
  const isValid = getSigningSecrets().some((secret) =>
    [periodOf(now), periodOf(now) - 1].some((period) =>
      isSameSecret(signature, signatureOf({ sourceId, url, definitions }, secret, period)),
    ),
  );
  return isValid ? sourceId : null;
}

/** 132 bits of the MAC are enough against forgery, and keep playlists small. */
const signatureOf = ({ sourceId, url, definitions }: SignedContent, secret: string, period: number) =>
  createHmac("sha256", deriveKey(secret, "source references"))
    .update(JSON.stringify([period, sourceId, url, ...definitions]))
    .digest("base64url")
    .slice(0, 22);

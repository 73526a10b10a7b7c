import { createHmac } from "node:crypto";
import type { SessionUser } from "#app/domain/accounts/accounts.ts";
import { deriveKey } from "#app/platform/process/encryption.server.ts";
import { getSigningSecrets, isSameSecret } from "#app/platform/process/secrets.server.ts";
import { days } from "#app/platform/units.ts";

/**
 * A child's session may fetch through the video proxy only the addresses in its own pages and playlists. Those carry a
 * signature for the child's profile. Signatures expire after two to four days, and become invalid when the profile's
 * generation is raised, by a new ceiling or the end of sessions.
 */

/** A signature is valid in the period that it was made in and in the next one. */
const periodMs = days(2);
const currentPeriod = () => Math.floor(Date.now() / periodMs);

/** A child's profile and its generation as text, which can be sent to a thread. */
export type ChildKey = string;
export const childKeyOf = ({ id, filmGeneration }: Pick<SessionUser, "id" | "filmGeneration">): ChildKey =>
  `${id} ${filmGeneration}`;

type SignedContent = { child: ChildKey; url: string; definitions: readonly string[] };

export const signForChild = (signed: SignedContent): string =>
  signatureOf(signed, getSigningSecrets()[0], currentPeriod());

export function isSignedForChild(signed: SignedContent, signature = ""): boolean {
  const current = currentPeriod();
  return getSigningSecrets().some((secret) =>
    [current, current - 1].some((period) => isSameSecret(signature, signatureOf(signed, secret, period))),
  );
}

/** 132 bits of the MAC are enough against forgery, and keep playlists small. */
const signatureOf = ({ child, url, definitions }: SignedContent, secret: string, period: number) =>
  createHmac("sha256", deriveKey(secret, "addresses for children"))
    .update(JSON.stringify([period, child, url, ...definitions]))
    .digest("base64url")
    .slice(0, 22);

import { createHmac } from "node:crypto";
import type { SessionUser } from "#app/domain/accounts/accounts.ts";
import { deriveKey } from "#app/platform/process/encryption.server.ts";
import { getSigningSecrets, isSameSecret } from "#app/platform/process/secrets.server.ts";
import { days } from "#app/platform/units.ts";

/**
 * A child's session may fetch through the video proxy only the addresses in its own pages and playlists. Those carry a
 * signature for the child's profile and for the title of the page, which begins with the title's number. Signatures expire
 * after two to four days, and become invalid when the profile's generation is raised, by a new ceiling or the end of
 * sessions.
 */

/** A signature is valid in the period that it was made in and in the next one. */
const periodMs = days(2);
const currentPeriod = () => Math.floor(Date.now() / periodMs);

/** A child's profile with its generation, and the title that it watches. Can be sent to a thread. */
export type ChildKey = { profile: string; malId: number };
export const childKeyOf = (
  { id, filmGeneration }: Pick<SessionUser, "id" | "filmGeneration">,
  malId: number,
): ChildKey => ({ profile: `${id} ${filmGeneration}`, malId });

/** The title that a signature names, or 0. Whether it is valid, only `isSignedForChild` tells. */
export const titleOfSignature = (signature: string): number =>
  Number(/^\d{1,9}(?=\.)/.exec(signature)?.[0] ?? 0);

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
function signatureOf({ child, url, definitions }: SignedContent, secret: string, period: number): string {
  const mac = createHmac("sha256", deriveKey(secret, "addresses for children"))
    .update(JSON.stringify([period, child.profile, child.malId, url, ...definitions]))
    .digest("base64url")
    .slice(0, 22);
  return `${child.malId}.${mac}`;
}

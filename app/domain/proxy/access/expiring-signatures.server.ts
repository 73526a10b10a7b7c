import type { SessionUser } from "#app/domain/accounts/accounts.ts";
import { keyedHash } from "#app/platform/process/encryption.server.ts";
import { getSigningSecrets, isSignedByUs } from "#app/platform/process/secrets.server.ts";
import { days } from "#app/platform/units.ts";

/**
 * Signatures in proxy URLs that expire after two to four days: references to sources with headers, and permissions of
 * children.
 */

/** A signature is valid in the period that it was made in and in the next one. */
const periodMs = days(2);
const currentPeriod = () => Math.floor(Date.now() / periodMs);

type Purpose = "source references" | "addresses for children";
type SignedUrl = { url: string; definitions: readonly string[] };

/** 132 bits of the MAC are enough against forgery, and keep playlists small. */
const signatureOf = (purpose: Purpose, content: readonly unknown[], secret: string, period: number) =>
  keyedHash(secret, purpose, JSON.stringify([period, ...content]))
    .digest("base64url")
    .slice(0, 22);

const sign = (purpose: Purpose, content: readonly unknown[]) =>
  signatureOf(purpose, content, getSigningSecrets()[0], currentPeriod());

function isValid(purpose: Purpose, content: readonly unknown[], signature: string): boolean {
  const current = currentPeriod();
  return [current, current - 1].some((period) =>
    isSignedByUs(signature, (secret) => signatureOf(purpose, content, secret, period)),
  );
}

/**
 * A reference names the source whose headers the upstream gets. Its signature covers the URL, because a viewer must not
 * choose what is fetched with the operator's credentials. The reference expires, because URLs are passed on.
 */
export const referenceTo = ({ sourceId, url, definitions }: SignedUrl & { sourceId: string }): string =>
  `${sourceId}.${sign("source references", [sourceId, url, ...definitions])}`;

/** Returns the id of the source; null if this site did not make the reference for this URL, or made it too long ago. */
export function readReference(reference: string, { url, definitions }: SignedUrl): string | null {
  const [, sourceId, signature] = /^([\da-f-]{36})\.([\w-]{22})$/.exec(reference) ?? [];
  if (sourceId === undefined || signature === undefined) return null;
  return isValid("source references", [sourceId, url, ...definitions], signature) ? sourceId : null;
}

/** A child's profile with its generation, and the title that it watches. Can be sent to a thread. */
export type ChildKey = { profile: string; malId: number };
export const childKeyOf = (
  { id, filmGeneration }: Pick<SessionUser, "id" | "filmGeneration">,
  malId: number,
): ChildKey => ({ profile: `${id} ${filmGeneration}`, malId });

/** The title that a child's signature names, or 0. Whether it is valid, only `isSignedForChild` tells. */
export const titleOfSignature = (signature: string): number =>
  Number(/^\d{1,9}(?=\.)/.exec(signature)?.[0] ?? 0);

type SignedForChild = SignedUrl & { child: ChildKey };

const childContent = ({ child: { profile, malId }, url, definitions }: SignedForChild) => [
  profile,
  malId,
  url,
  ...definitions,
];

/**
 * A child's session may fetch through the video proxy only the addresses in its own pages and playlists. Those carry a
 * signature for the child's profile and for the title of the page, which begins with the title's number. Signatures
 * become invalid when the profile's generation is raised, by a new ceiling or the end of sessions.
 */
export const signForChild = (signed: SignedForChild): string =>
  `${signed.child.malId}.${sign("addresses for children", childContent(signed))}`;

export function isSignedForChild(signed: SignedForChild, signature = ""): boolean {
  const prefix = `${signed.child.malId}.`;
  return (
    signature.startsWith(prefix) &&
    isValid("addresses for children", childContent(signed), signature.slice(prefix.length))
  );
}

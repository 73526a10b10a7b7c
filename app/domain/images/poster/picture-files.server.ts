import { mediaPath } from "#app/paths.ts";
import { extensionOf, pictureTypes } from "#app/platform/media-types.ts";
import { keyedHash } from "#app/platform/process/encryption.server.ts";
import { getSigningSecrets, isSignedByUs } from "#app/platform/process/secrets.server.ts";

/**
 * Title pictures that are files in MEDIA_DIR. Everybody may see them, unlike the films beside them, so posters read
 * them with a signature that only requests inside the process have.
 */

const signatureOf = (path: string, secret: string) =>
  keyedHash(secret, "pictures of titles", path).digest("base64url");

/** The signed path for `media:Show/poster.jpg` or `/media/Show/poster.jpg`; null for all other URLs. */
export function pictureFilePath(url: string): string | null {
  const file = /^media:\/*(.*)$/is.exec(url)?.[1];
  const path = file === undefined ? url : mediaPath(file);
  if (!path.startsWith(mediaPath(""))) return null;
  const { pathname } = new URL(path, "http://site.invalid");
  return `${pathname}?picture=${signatureOf(pathname, getSigningSecrets()[0])}`;
}

/** True if the signature shows that the request comes from a poster. */
export function isSignedPicture(path: string, signature: string): boolean {
  if (!pictureTypes.has(extensionOf(path))) return false;
  return isSignedByUs(signature, (secret) => signatureOf(path, secret));
}

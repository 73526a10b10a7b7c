import { findStoredCid } from "#app/domain/images/images.server.ts";
import { maxPictureUrlLength } from "#app/domain/images/images.ts";
import { type Context, clientContext } from "#app/http/context.server.ts";
import { fail } from "#app/http/endpoint/error-response.server.ts";
import { ownPathOf } from "#app/http/pipeline/own-addresses.server.ts";
import { storedImagePath } from "#app/paths.ts";

/**
 * The stored URL of a profile picture: a path for this site's pictures, otherwise the URL. Null if it is not
 * acceptable.
 */
export function parsePictureUrl(input: string, context: Context): string | null {
  const text = input.trim();
  const { origin } = context.get(clientContext);
  const url = URL.canParse(text) ? new URL(text) : null;
  const ownPath = url && ownPathOf(url, origin);
  const cid = findStoredCid(ownPath ?? text, origin);
  if (cid) return storedImagePath(cid);
  // `URL` accepts `https:/host` or `https:host`, but a browser resolves those against the page's own URL.
  if (!url || !/^https?:\/\/[^/\\]/i.test(text) || url.username || url.password) return null;
  return text.length > maxPictureUrlLength ? null : (ownPath ?? text);
}

export function requirePictureUrl(text: string, field: string, context: Context): string {
  const url = parsePictureUrl(text, context);
  if (url !== null) return url;
  const message = "must be the address of a picture stored here, or an http or https address";
  throw fail("invalid", `${field}: ${message}`, [{ path: field, message }]);
}

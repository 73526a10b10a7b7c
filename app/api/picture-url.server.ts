import { findStoredCid } from "#app/domain/images/images.server.ts";
import { type Context, clientContext } from "#app/http/context.server.ts";
import { fail } from "#app/http/endpoint/error-response.server.ts";
import { ownPathOf } from "#app/http/pipeline/own-addresses.server.ts";
import { storedImagePath } from "#app/paths.ts";

const maxUrlLength = 2048;

/** How the address of a profile's picture is stored: ours root-relative, others as they are; null: it can be neither. */
export function parsePictureUrl(sent: string, context: Context): string | null {
  const text = sent.trim();
  const { origin } = context.get(clientContext);
  const url = URL.canParse(text) ? new URL(text) : null;
  const own = url && ownPathOf(url, origin);
  const cid = findStoredCid(own ?? text, origin);
  if (cid) return storedImagePath(cid);
  // With fewer slashes it is an address to us, and a path of this site to a page that shows it.
  if (!url || !/^https?:\/\/[^/\\]/i.test(text) || url.username || url.password) return null;
  return text.length > maxUrlLength ? null : (own ?? text);
}

export function requirePictureUrl(text: string, field: string, context: Context): string {
  const address = parsePictureUrl(text, context);
  if (address !== null) return address;
  const message = "must be the address of a picture stored here, or an http or https address";
  throw fail("invalid", `${field}: ${message}`, [{ path: field, message }]);
}

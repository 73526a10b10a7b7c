import { storedCidOf } from "../domain/images/images.server.ts";
import { type Context, clientContext } from "./context.server.ts";
import { fail } from "./error-response.server.ts";
import { ownPathOf } from "./own-addresses.server.ts";

const longest = 2048;

/** How the address of a profile's picture is stored: ours root-relative, others as they are; null: it can be neither. */
export function findPicture(sent: string, context: Context): string | null {
  const text = sent.trim();
  const { origin } = context.get(clientContext);
  const url = URL.canParse(text) ? new URL(text) : null;
  const own = url && ownPathOf(url, origin);
  const cid = storedCidOf(own ?? text, origin);
  if (cid) return `/ipfs/${cid}`;
  // With fewer slashes it is an address to us, and a path of this site to a page that shows it.
  if (!url || !/^https?:\/\/[^/\\]/i.test(text) || url.username || url.password) return null;
  return text.length > longest ? null : (own ?? text);
}

export function requirePicture(text: string, field: string, context: Context): string {
  const address = findPicture(text, context);
  if (address !== null) return address;
  const message = "must be the address of a picture stored here, or an http or https address";
  throw fail("invalid", `${field}: ${message}`, [{ path: field, message }]);
}

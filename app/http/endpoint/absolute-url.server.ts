import { type Context, clientContext } from "../context.server.ts";

/** Turns a path of this site, as stored in the database, into an absolute URL. Other URLs stay unchanged. */
export function absoluteUrl(context: Context, address: string): string;
export function absoluteUrl(context: Context, address: string | null): string | null;
export function absoluteUrl(context: Context, address: string | null): string | null {
  return address?.startsWith("/") ? `${context.get(clientContext).origin}${address}` : address;
}

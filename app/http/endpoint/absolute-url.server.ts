import { type Context, clientContext } from "../context.server.ts";

/** Our own addresses are stored root-relative and leave the house absolute; others pass as they are. */
export function absoluteUrl(context: Context, address: string): string;
export function absoluteUrl(context: Context, address: string | null): string | null;
export function absoluteUrl(context: Context, address: string | null): string | null {
  return address?.startsWith("/") ? `${context.get(clientContext).origin}${address}` : address;
}

import { env } from "#app/platform/process/env.server.ts";
import { days, inSeconds } from "#app/platform/units.ts";

/** Headers that every answer carries, so that no route can forget them. */

const originOf = (address: string | undefined) => (address ? ` ${new URL(address).origin}` : "");

/** Stored pictures may be served by the bucket or gateway itself. */
const pictures = `${originOf(env.S3_PUBLIC_URL)}${originOf(env.IPFS_GATEWAY_URL)}`;

function documentPolicy(nonce: string) {
  const own = `'self' 'nonce-${nonce}'`;
  return [
    "default-src 'none'",
    `script-src ${own}`,
    // Vite adds its style elements and its socket in development.
    `style-src ${import.meta.env.DEV ? "'self' 'unsafe-inline'" : own}`,
    `img-src 'self' data: blob:${pictures}`,
    "font-src 'self'",
    `connect-src 'self'${import.meta.env.DEV ? " ws:" : ""}`,
    "media-src 'self' blob:",
    // An embedded player, which a page loads after a click.
    "frame-src https://www.youtube-nocookie.com",
    "worker-src 'self' blob:",
    "manifest-src 'self'",
    // Chromium applies it to the redirect that answers a form, hence the provider.
    `form-action 'self'${originOf(env.OAUTH_ISSUER)}`,
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join("; ");
}

/** Nothing that is no document of ours runs or loads anything, also when a browser is made to show it alone. */
const inertPolicy = "default-src 'none'; frame-ancestors 'none'; sandbox";

export function setSecurityHeaders(headers: Headers, origin: string, nonce: string) {
  const isDocument = headers.get("Content-Type")?.startsWith("text/html") ?? false;
  headers.set("Content-Security-Policy", isDocument ? documentPolicy(nonce) : inertPolicy);
  for (const [name, value] of plainSecurityHeaders(origin)) headers.set(name, value);
}

const everywhere: readonly (readonly [string, string])[] = [
  ["X-Content-Type-Options", "nosniff"],
  ["Referrer-Policy", "strict-origin-when-cross-origin"],
];
const onHttps = [...everywhere, ["Strict-Transport-Security", `max-age=${inSeconds(days(365))}`] as const];

/** For answers that are no document: files, and what the cache keeps. */
export const plainSecurityHeaders = (origin: string) => (origin.startsWith("https:") ? onHttps : everywhere);

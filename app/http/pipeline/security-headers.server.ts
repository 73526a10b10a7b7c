import { env } from "#app/platform/process/env.server.ts";
import { days, inSeconds } from "#app/platform/units.ts";
import type { InlineSources } from "./inline-sources.server.ts";

/** The security headers of every answer. The pipeline sets them, so routes cannot forget them. */

const originOf = (address: string | undefined) => (address ? ` ${new URL(address).origin}` : "");

/** Browsers may load stored pictures directly from the bucket or gateway. */
const pictures = `${originOf(env.S3_PUBLIC_URL)}${originOf(env.IPFS_GATEWAY_URL)}`;

function documentPolicy({ scripts, styles }: InlineSources) {
  return [
    "default-src 'none'",
    `script-src 'self' ${scripts}`,
    // In development Vite adds style elements without a nonce, and a WebSocket.
    `style-src ${import.meta.env.DEV ? "'self' 'unsafe-inline'" : `'self' ${styles}`}`,
    `img-src 'self' data: blob:${pictures}`,
    "font-src 'self'",
    `connect-src 'self'${import.meta.env.DEV ? " ws:" : ""}`,
    "media-src 'self' blob:",
    // The embedded video player, which a page loads after a click.
    "frame-src https://www.youtube-nocookie.com",
    "worker-src 'self' blob:",
    "manifest-src 'self'",
    // Chromium also applies form-action to the redirect after a form, so the identity provider must be listed.
    `form-action 'self'${originOf(env.OAUTH_ISSUER)}`,
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join("; ");
}

/**
 * For all answers except our HTML: nothing in them runs or loads, even if the answer is opened alone in a browser tab.
 */
const inertPolicy = "default-src 'none'; frame-ancestors 'none'; sandbox";

export function setSecurityHeaders(headers: Headers, origin: string, inline: InlineSources) {
  const isDocument = headers.get("Content-Type")?.startsWith("text/html") ?? false;
  headers.set("Content-Security-Policy", isDocument ? documentPolicy(inline) : inertPolicy);
  for (const [name, value] of plainSecurityHeaders(origin)) headers.set(name, value);
}

const everywhere: readonly (readonly [string, string])[] = [
  ["X-Content-Type-Options", "nosniff"],
  ["Referrer-Policy", "strict-origin-when-cross-origin"],
];
const onHttps = [...everywhere, ["Strict-Transport-Security", `max-age=${inSeconds(days(365))}`] as const];

/** The headers that do not depend on the kind of answer. */
export const plainSecurityHeaders = (origin: string) => (origin.startsWith("https:") ? onHttps : everywhere);

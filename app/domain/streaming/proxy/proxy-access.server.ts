import { createHmac, timingSafeEqual } from "node:crypto";
import { env } from "#app/platform/process/env.server.ts";
import { proxyUrl, type SignUrl } from "../hls/playlist.ts";
import { referenceTo } from "./source-reference.server.ts";

/** Which URLs the video proxy fetches: signed ones (PROXY_SIGNING_SECRET) on allowed hosts (PROXY_ALLOWED_HOSTS). */

type ProxySettings = { secret: string | undefined; hosts: readonly string[] | undefined };

/** 132 bits of the MAC are enough against forgery, and keep playlists with thousands of URLs small. */
const signatureLength = 22;

export function proxyAccess({ secret, hosts }: ProxySettings) {
  const signatureOf =
    secret === undefined
      ? undefined
      : (url: string, definitions: readonly string[]) =>
          createHmac("sha256", secret)
            .update(definitions.length === 0 ? url : JSON.stringify([url, ...definitions]))
            .digest("base64url")
            .slice(0, signatureLength);
  const sign: SignUrl | undefined =
    signatureOf && ((url, definitions) => `&sig=${signatureOf(url, definitions)}`);

  /** Signs URLs, and refers them to a source with headers if there is one. */
  function signFor(sourceId: string | undefined): SignUrl | undefined {
    if (sourceId === undefined) return sign;
    return (url, definitions) =>
      `${sign?.(url, definitions) ?? ""}&source=${referenceTo({ sourceId, url, definitions })}`;
  }

  function isSigned(url: string, definitions: readonly string[], signature: string | undefined): boolean {
    if (!signatureOf) return true;
    const given = Buffer.from(signature ?? "");
    const expected = Buffer.from(signatureOf(url, definitions));
    return given.length === expected.length && timingSafeEqual(given, expected);
  }

  const patterns = hosts?.filter((host) => host !== "catalog").map(hostPattern);

  return {
    signFor,
    isSigned,
    /** The proxy URL for an upstream URL, signed if there is a secret. */
    addressOf: (url: string, sourceId?: string) => proxyUrl(url, undefined, signFor(sourceId)),
    asksCatalog: hosts?.includes("catalog") ?? false,
    /** `registered`: the hosts of registered sources; empty unless the setting contains `catalog`. */
    isAllowedHost: (host: string, registered: ReadonlySet<string>) =>
      patterns === undefined || registered.has(host) || patterns.some((pattern) => pattern.test(host)),
  };
}

/**
 * `films.example.org` matches only that host, `*.example.org` all its subdomains. A port in the pattern must match
 * too.
 */
export function hostPattern(pattern: string): RegExp {
  const [, name = "", port] = /^(.*?)(?::(\d+))?$/.exec(canonicalHost(pattern)) ?? [];
  const expression = name
    .split("*")
    .map((part) => part.replace(/[\\^$.|?+()[\]{}]/g, "\\$&"))
    .join("[^/]+");
  return new RegExp(`^${expression}${port === undefined ? "(?::\\d+)?" : `:${port}`}$`, "i");
}

/** International names are converted to punycode, as they appear in `URL.host`. */
function canonicalHost(pattern: string): string {
  const text = pattern
    .trim()
    .replace(/^https?:\/\//i, "")
    .replace(/\/.*$/, "");
  const labels = text.split(".").map((label) => {
    if (!/[^ -~]/.test(label)) return label;
    try {
      return new URL(`http://${label}`).hostname;
    } catch {
      return label;
    }
  });
  return labels.join(".");
}

export const access = proxyAccess({ secret: env.PROXY_SIGNING_SECRET, hosts: env.PROXY_ALLOWED_HOSTS });

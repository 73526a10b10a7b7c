import { createHmac, timingSafeEqual } from "node:crypto";
import { env } from "#app/platform/process/env.server.ts";
import { proxyUrl, type SignUrl } from "../hls/playlist.ts";

/** Who may use the video proxy for what: PROXY_SIGNING_SECRET and PROXY_ALLOWED_HOSTS. Nothing is remembered. */

type ProxySettings = { secret: string | undefined; hosts: readonly string[] | undefined };

/** 132 bits of the MAC: short enough for playlists of thousands of addresses. */
const signatureLength = 22;

export function proxyAccess({ secret, hosts }: ProxySettings) {
  const sign: SignUrl | undefined =
    secret === undefined
      ? undefined
      : (url, definitions) =>
          createHmac("sha256", secret)
            .update(definitions.length === 0 ? url : JSON.stringify([url, ...definitions]))
            .digest("base64url")
            .slice(0, signatureLength);

  function isSigned(url: string, definitions: readonly string[], signature: string | undefined): boolean {
    if (!sign) return true;
    const given = Buffer.from(signature ?? "");
    const right = Buffer.from(sign(url, definitions));
    return given.length === right.length && timingSafeEqual(given, right);
  }

  const patterns = hosts?.filter((host) => host !== "catalog").map(hostPattern);

  return {
    sign,
    isSigned,
    /** The proxy's address of an upstream's, signed where that is asked for. */
    addressOf: (url: string) => proxyUrl(url, undefined, sign),
    asksCatalog: hosts?.includes("catalog") ?? false,
    /** `registered`: the hosts of the catalog's sources, where the setting names them. */
    isAllowedHost: (host: string, registered: ReadonlySet<string>) =>
      patterns === undefined || registered.has(host) || patterns.some((pattern) => pattern.test(host)),
  };
}

/** `films.example.org` is that host alone, `*.example.org` every one below it; a port, if named, must agree. */
export function hostPattern(pattern: string): RegExp {
  const [, name = "", port] = /^(.*?)(?::(\d+))?$/.exec(canonicalHost(pattern)) ?? [];
  const words = name
    .split("*")
    .map((part) => part.replace(/[\\^$.|?+()[\]{}]/g, "\\$&"))
    .join("[^/]+");
  return new RegExp(`^${words}${port === undefined ? "(?::\\d+)?" : `:${port}`}$`, "i");
}

/** International names are compared as they travel. */
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

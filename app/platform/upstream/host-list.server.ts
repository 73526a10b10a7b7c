import { errorFields, log } from "../log.server.ts";
import { portOf } from "./private-upstreams.ts";

/** The hosts that a proxy may fetch from: PROXY_ALLOWED_HOSTS and IMAGE_PROXY_ALLOWED_HOSTS. */

export function allowedHosts(hosts: readonly string[] | undefined) {
  const patterns = hosts?.filter((host) => host !== "catalog").map(hostPattern);
  return {
    asksCatalog: hosts?.includes("catalog") ?? false,
    /** `registered` has the hosts of the catalog. It is empty unless the setting contains `catalog`. */
    isAllowedHost: (url: URL, registered: ReadonlySet<string>) =>
      patterns === undefined || registered.has(url.host) || patterns.some((fits) => fits(url)),
  };
}

/**
 * `films.example.org` matches only that host, `*.example.org` matches all its subdomains. A port in the pattern must
 * match too.
 */
function hostPattern(pattern: string): (url: URL) => boolean {
  const [, name = "", port] = /^(.*?)(?::(\d+))?$/.exec(canonicalHost(pattern)) ?? [];
  const expression = name
    .split("*")
    .map((part) => part.replace(/[\\^$.|?+()[\]{}]/g, "\\$&"))
    .join("[^/]+");
  const hostname = new RegExp(`^${expression}$`, "i");
  return (url) => hostname.test(url.hostname) && (port === undefined || port === portOf(url));
}

/** Converts international names to punycode, as in `URL.host`. */
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

/**
 * Caches the hosts of the origins that `read` finds in the database. If the database cannot be reached, the last known
 * hosts stay allowed.
 */
export function cacheHosts(read: () => Promise<readonly (string | null)[]>, freshForMs: number) {
  let known: { hosts: ReadonlySet<string>; readAt: number } | undefined;
  let reading: Promise<ReadonlySet<string>> | undefined;

  async function renew() {
    try {
      const hosts = new Set((await read()).flatMap(hostOf));
      known = { hosts, readAt: performance.now() };
    } catch (error) {
      log.warn("could not read the hosts that a proxy may fetch from", errorFields(error));
    } finally {
      reading = undefined;
    }
    return known?.hosts ?? new Set<string>();
  }

  return (): Promise<ReadonlySet<string>> => {
    if (known && performance.now() - known.readAt < freshForMs) return Promise.resolve(known.hosts);
    reading ??= renew();
    return reading;
  };
}

/** Spelled as `URL.host` does: international names in punycode, and the default port of the scheme left out. */
const hostOf = (origin: string | null) =>
  origin !== null && URL.canParse(origin) ? [new URL(origin).host] : [];

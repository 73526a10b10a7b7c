import { workForEverybody } from "../limits/current-client.server.ts";
import { errorFields, log } from "../log.server.ts";
import { seconds } from "../units.ts";
import { abortable } from "./abortable.ts";
import { portOf } from "./private-upstreams.ts";

/** The hosts that a proxy may fetch from: PROXY_ALLOWED_HOSTS and IMAGE_PROXY_ALLOWED_HOSTS. */

export function allowedHosts(hosts: readonly string[] | undefined) {
  const patterns = hosts?.filter((host) => host !== "catalog").map(hostPattern);
  return {
    asksCatalog: hosts?.includes("catalog") ?? false,
    /**
     * `registered` has the hosts of the catalog. It is empty unless the setting contains `catalog`, and null if they are
     * not known.
     */
    isAllowedHost: (url: URL, registered: ReadonlySet<string> | null) =>
      patterns === undefined || registered?.has(url.host) === true || patterns.some((fits) => fits(url)),
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

/** A request waits this long for newer hosts while it could use the last known ones. */
const maxRenewalWaitMs = seconds(0.5);
const retryAfterMs = seconds(5);

/**
 * Caches the hosts of the origins that `read` finds in the database. If the database does not answer, the last known
 * hosts stay allowed; the result is null if none are known.
 */
export function cacheHosts(read: () => Promise<readonly (string | null)[]>, freshForMs: number) {
  let known: ReadonlySet<string> | null = null;
  let readNextAt = Number.NEGATIVE_INFINITY;
  let reading: Promise<void> | undefined;

  async function renew() {
    try {
      known = new Set((await read()).flatMap(hostOf));
      readNextAt = performance.now() + freshForMs;
    } catch (error) {
      readNextAt = performance.now() + retryAfterMs;
      log.warn("could not read the hosts that a proxy may fetch from", errorFields(error));
    } finally {
      reading = undefined;
    }
  }

  return async (): Promise<ReadonlySet<string> | null> => {
    if (performance.now() < readNextAt) return known;
    reading ??= workForEverybody(renew);
    await (known ? abortable(reading, AbortSignal.timeout(maxRenewalWaitMs)).catch(() => {}) : reading);
    return known;
  };
}

/** Spelled as `URL.host` does: international names in punycode, and the default port of the scheme left out. */
const hostOf = (origin: string | null) =>
  origin !== null && URL.canParse(origin) ? [new URL(origin).host] : [];

import { valuesByKey } from "../../lists.ts";
import { parseIp } from "../ip-addresses.ts";

/** Parses the system's files about host names: /etc/hosts and /etc/resolv.conf. */

export type ResolvedIp = { address: string; family: number };

export const ipOf = (address: string): ResolvedIp => ({ address, family: address.includes(":") ? 6 : 4 });

export function parseHosts(text: string): ReadonlyMap<string, readonly ResolvedIp[]> {
  const named = text.split("\n").flatMap((line) => {
    const [address = "", ...names] = line.replace(/#.*/, "").trim().toLowerCase().split(/\s+/);
    return parseIp(address) ? names.map((name) => [name, ipOf(address)] as const) : [];
  });
  return valuesByKey(named);
}

type SearchRules = {
  /** The domains that are appended to a short name. */
  domains: readonly string[];
  /** A name with fewer dots than this is short. */
  minDots: number;
};

/** Each domain costs one more query for a short name that does not exist. The C library has the same limit. */
const maxDomains = 6;

/** Reads `search`, `domain` and `options ndots`. The last line of each counts, as in the C library. */
export function parseSearchRules(text: string): SearchRules {
  const rules = { domains: [] as string[], minDots: 1 };
  for (const line of text.split("\n")) {
    const [keyword, ...values] = line.trim().toLowerCase().split(/\s+/);
    if (keyword === "search" || keyword === "domain")
      rules.domains = values.map((domain) => domain.replace(/\.$/, "")).filter(Boolean);
    if (keyword !== "options") continue;
    const dots = values.map((option) => /^ndots:(\d{1,2})$/.exec(option)?.[1]).findLast(Boolean);
    if (dots !== undefined) rules.minDots = Number(dots);
  }
  return { ...rules, domains: rules.domains.slice(0, maxDomains) };
}

/** The full names to query. A dot at the end marks a name that is already full. */
export function fullNamesOf(hostname: string, { domains, minDots }: SearchRules): string[] {
  if (hostname.endsWith(".")) return [hostname.slice(0, -1)];
  const isShort = hostname.split(".").length - 1 < minDots;
  return isShort ? [...domains.map((domain) => `${hostname}.${domain}`), hostname] : [hostname];
}

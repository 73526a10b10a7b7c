import { lookup, Resolver } from "node:dns/promises";
import { withTimeLimit } from "../../limits/time-limit.ts";
import { minutes, seconds } from "../../units.ts";
import { fullNamesOf, ipOf, parseSearchRules, type ResolvedIp } from "./system-names.ts";
import { createWatchedFile } from "./watched-file.server.ts";

/**
 * Queries the system's name servers. c-ares does this on sockets. getaddrinfo would block one of the few threads that
 * file reads also need, for as long as a name server is silent.
 */

/**
 * `timed_out` and `failed`: the name servers gave no answer, so the name may exist. `busy`: no name server was queried.
 */
type Reason = "name_not_found" | "timed_out" | "failed" | "busy";

/** The look-up of a host name gave no address. */
export class LookupFailure extends Error {
  override name = "LookupFailure";
  readonly reason: Reason;
  constructor(reason: Reason) {
    super(`the look-up of a host name ended with ${reason}`);
    this.reason = reason;
  }
}

export type NameAnswer = {
  addresses: ResolvedIp[];
  /** How long the answer may be used. */
  freshForMs: number;
};
export type QueryName = (hostname: string) => Promise<NameAnswer>;

const deadlineMs = seconds(5);
/** How long a silent server is waited for before the next one is queried. Doubles with each round. */
const firstTryMs = seconds(1);
const rounds = 3;
/** Some name servers never answer IPv6 queries, so the wait for the second family is short. */
const otherFamilyWaitMs = 500;
const minFreshMs = seconds(5);
const maxFreshMs = minutes(5);
/** A single response can contain thousands of addresses, and responses are cached. */
const maxAddresses = 32;

type Settings = {
  /** The name servers. The default is the system's. */
  servers?: readonly string[];
  deadlineMs?: number;
  resolvConf?: string;
};

export function createNameQuery(settings: Settings = {}): QueryName {
  const searchRules = createWatchedFile(settings.resolvConf ?? "/etc/resolv.conf", parseSearchRules);
  return async (hostname) => {
    // A new resolver reads the system's servers again, so that a change of network is noticed. This costs 50 µs.
    const resolver = new Resolver({ timeout: firstTryMs, tries: rounds });
    if (settings.servers) resolver.setServers(settings.servers);
    let isOver = false;
    const deadline = setTimeout(() => {
      isOver = true;
      resolver.cancel();
    }, settings.deadlineMs ?? deadlineMs);
    let failure = new LookupFailure("name_not_found");
    try {
      for (const name of fullNamesOf(hostname, await searchRules())) {
        if (isOver) break;
        const answer = await askBothFamilies(resolver, name);
        if (!(answer instanceof LookupFailure)) return answer;
        if (answer.reason !== "name_not_found") failure = answer;
      }
      throw isOver ? new LookupFailure("timed_out") : failure;
    } finally {
      clearTimeout(deadline);
      resolver.cancel();
    }
  };
}

type AddressRecord = { address: string; ttl: number };

function askBothFamilies(resolver: Resolver, name: string): Promise<NameAnswer | LookupFailure> {
  const results: { records: AddressRecord[]; errors: unknown[] } = { records: [], errors: [] };
  return new Promise((resolve) => {
    let missing = 2;
    let timer: NodeJS.Timeout | undefined;
    const finish = () => {
      clearTimeout(timer);
      resolve(answerOf(results.records, results.errors, missing));
    };
    const onSettled = () => {
      missing--;
      if (missing === 0) finish();
      else if (results.records.length > 0) timer = setTimeout(finish, otherFamilyWaitMs);
    };
    for (const query of [resolver.resolve4(name, { ttl: true }), resolver.resolve6(name, { ttl: true })])
      query
        .then(
          (records) => void results.records.push(...records.slice(0, maxAddresses)),
          (error: unknown) => void results.errors.push(error),
        )
        .then(onSettled);
  });
}

function answerOf(
  records: readonly AddressRecord[],
  errors: unknown[],
  missing: number,
): NameAnswer | LookupFailure {
  const failure = failureOf(errors);
  if (records.length === 0) return failure;
  const addresses = [...new Set(records.map(({ address }) => address))].map(ipOf);
  const isComplete = missing === 0 && failure.reason === "name_not_found";
  const shortestMs = seconds(Math.min(...records.map(({ ttl }) => ttl)));
  return {
    // IPv4 comes first: a machine without IPv6 would otherwise try each IPv6 address first.
    addresses: addresses.sort((one, other) => one.family - other.family),
    freshForMs: isComplete ? Math.min(maxFreshMs, Math.max(minFreshMs, shortestMs)) : minFreshMs,
  };
}

/** The codes for a name that does not exist, or that has no address of this family. */
const noSuchName = new Set(["ENOTFOUND", "ENODATA", "EBADNAME"]);

function failureOf(errors: unknown[]): LookupFailure {
  const codes = errors.map((error) => (error as { code?: string }).code ?? "");
  if (codes.includes("ENOTFOUND") || codes.every((code) => noSuchName.has(code)))
    return new LookupFailure("name_not_found");
  const isSilent = codes.some((code) => code === "ETIMEOUT" || code === "ECANCELLED");
  return new LookupFailure(isSilent ? "timed_out" : "failed");
}

const systemFreshMs = seconds(30);

/** True for mDNS names, such as `nas.local`. Only the system's own resolver knows them, not the name servers. */
export const isMulticastName = (name: string) => /^[^.]+\.local$/.test(name);

/** Queries the system's resolver for one name at a time, because each look-up blocks a thread until it ends. */
export function createSystemQuery(ask: typeof lookup = lookup): QueryName {
  let isAsking = false;
  return async (name) => {
    if (isAsking) throw new LookupFailure("busy");
    isAsking = true;
    const asking = ask(name, { all: true })
      .catch((error: { code?: string }) => {
        throw new LookupFailure(error.code === "ENOTFOUND" ? "name_not_found" : "failed");
      })
      .finally(() => {
        isAsking = false;
      });
    const addresses = await withTimeLimit(asking, deadlineMs, () => new LookupFailure("timed_out"));
    return { addresses: addresses.slice(0, maxAddresses), freshForMs: systemFreshMs };
  };
}

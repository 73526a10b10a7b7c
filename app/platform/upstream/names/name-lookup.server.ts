import { LRUCache } from "lru-cache";
import { createFairShare } from "../../limits/fair-share.ts";
import { counter, gauge } from "../../metrics.server.ts";
import { hours, seconds } from "../../units.ts";
import {
  createNameQuery,
  createSystemQuery,
  isMulticastName,
  LookupFailure,
  type QueryName,
} from "./name-query.server.ts";
import { ipOf, parseHosts, type ResolvedIp } from "./system-names.ts";
import { createWatchedFile } from "./watched-file.server.ts";

/**
 * Looks up the host names of upstreams. Strangers may choose a name, and a name without an answer takes the full time
 * limit, so each client has a share of the look-ups under way.
 */

/** `client` is the client whose share the look-up uses. */
export type Resolve = (hostname: string, client: string) => Promise<readonly ResolvedIp[]>;

const maxNames = 2000;
/** No longer name exists in DNS. A URL can contain one of 16 KB, and the answers below would keep it in memory. */
const maxNameLength = 253;
const limits = { total: 256, perClient: 16 };
/** While the name servers fail, the last good answer stays usable for this time. */
const maxStaleMs = hours(1);
/** If the look-up takes longer, the last good answer is used, and the look-up continues for the next request. */
const staleAfterMs = seconds(1);
const rememberMissingMs = seconds(10);
const rememberFailureMs = seconds(5);

const hostsPath = process.platform === "win32" ? "C:\\Windows\\System32\\drivers\\etc\\hosts" : "/etc/hosts";
const loopback = ["127.0.0.1", "::1"].map(ipOf);

let underWay = 0;
gauge("upstream_lookups_under_way", "Host names that are being looked up", () => underWay);
const outcomes = counter("upstream_lookups_total", "Look-ups of host names, by outcome", ["outcome"]);

type Settings = { query?: QueryName; querySystem?: QueryName; hostsFile?: string };
type Answer = { addresses: readonly ResolvedIp[]; freshUntil: number };
type FailureEntry = { failure: LookupFailure; until: number };

export function createNameLookup(settings: Settings = {}): Resolve {
  const { query = createNameQuery(), querySystem = createSystemQuery() } = settings;
  const hosts = createWatchedFile(settings.hostsFile ?? hostsPath, parseHosts);
  const answers = new LRUCache<string, Answer>({ max: maxNames });
  const failures = new LRUCache<string, FailureEntry>({ max: maxNames });
  const underWayByName = new Map<string, Promise<readonly ResolvedIp[]>>();
  const share = createFairShare(limits);

  /**
   * A look-up continues when its client leaves: other requests may wait for it, and its end releases the client's
   * share.
   */
  function start(name: string, client: string): Promise<readonly ResolvedIp[]> {
    const giveBack = share.take(client);
    if (!giveBack) {
      outcomes.inc({ outcome: "busy" });
      return Promise.reject(new LookupFailure("busy"));
    }
    underWay++;
    const looking = ask(name).finally(() => {
      underWay--;
      giveBack();
      underWayByName.delete(name);
    });
    underWayByName.set(name, looking);
    return looking;
  }

  async function ask(name: string) {
    try {
      const { addresses, freshForMs } = await (isMulticastName(name) ? querySystem : query)(name);
      answers.set(name, { addresses, freshUntil: performance.now() + freshForMs });
      failures.delete(name);
      outcomes.inc({ outcome: "found" });
      return addresses;
    } catch (error) {
      const failure = error instanceof LookupFailure ? error : new LookupFailure("failed");
      outcomes.inc({ outcome: failure.reason });
      const isMissing = failure.reason === "name_not_found";
      if (isMissing) answers.delete(name);
      const until = performance.now() + (isMissing ? rememberMissingMs : rememberFailureMs);
      if (failure.reason !== "busy") failures.set(name, { failure, until });
      throw failure;
    }
  }

  return async (hostname, client) => {
    const bare = hostname.replace(/\.$/, "");
    if (bare.length > maxNameLength) throw new LookupFailure("name_not_found");
    const listed = (await hosts()).get(bare);
    if (listed) return listed;
    if (/^(?:.+\.)?localhost$/.test(bare)) return loopback;
    const now = performance.now();
    const last = answers.get(hostname);
    if (last && now < last.freshUntil) return last.addresses;
    const failed = failures.get(hostname);
    const looking =
      failed && now < failed.until
        ? Promise.reject(failed.failure)
        : (underWayByName.get(hostname) ?? start(hostname, client));
    return last && now < last.freshUntil + maxStaleMs ? orLastAnswer(looking, last.addresses) : looking;
  };
}

/** Falls back to the last answer, except for a name that no longer exists. */
function orLastAnswer(looking: Promise<readonly ResolvedIp[]>, last: readonly ResolvedIp[]) {
  return new Promise<readonly ResolvedIp[]>((resolve, reject) => {
    const timer = setTimeout(() => resolve(last), staleAfterMs);
    looking
      .then(resolve, (error: unknown) => {
        if (error instanceof LookupFailure && error.reason === "name_not_found") reject(error);
        else resolve(last);
      })
      .finally(() => clearTimeout(timer));
  });
}

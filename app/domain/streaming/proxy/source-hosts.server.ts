import { sql } from "drizzle-orm";
import { errorFields, log } from "#app/platform/log.server.ts";
import { seconds } from "#app/platform/units.ts";
import { db } from "#db/client.server.ts";
import { episodeSources, episodeSubtitles } from "#db/schema/catalog.ts";

/** The hosts of registered sources and subtitles, for PROXY_ALLOWED_HOSTS=catalog. */

const freshForMs = seconds(10);
let known: { hosts: ReadonlySet<string>; readAt: number } | undefined;
let reading: Promise<ReadonlySet<string>> | undefined;

/** If the database cannot be reached, the last known hosts stay allowed, so that videos keep playing. */
export function getRegisteredHosts(): Promise<ReadonlySet<string>> {
  if (known && performance.now() - known.readAt < freshForMs) return Promise.resolve(known.hosts);
  reading ??= read()
    .catch((error: unknown) => {
      log.warn("could not read the hosts of registered sources", errorFields(error));
      return known?.hosts ?? new Set<string>();
    })
    .finally(() => {
      reading = undefined;
    });
  return reading;
}

async function read(): Promise<ReadonlySet<string>> {
  const host = (url: typeof episodeSources.url | typeof episodeSubtitles.url) =>
    sql<string>`lower(substring(${url} from '(?i)^https?://([^/?#]+)'))`;
  const rows = await Promise.all([
    db.selectDistinct({ host: host(episodeSources.url) }).from(episodeSources),
    db.selectDistinct({ host: host(episodeSubtitles.url) }).from(episodeSubtitles),
  ]);
  const hosts = new Set(rows.flat().flatMap(({ host: name }) => (name ? [canonical(name)] : [])));
  known = { hosts, readAt: performance.now() };
  return hosts;
}

/** Spells the host as `URL.host` does: international names in punycode, default port left out. */
const canonical = (host: string) =>
  URL.canParse(`https://${host}`) ? new URL(`https://${host}`).host : host;

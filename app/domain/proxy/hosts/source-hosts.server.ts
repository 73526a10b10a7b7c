import { sql } from "drizzle-orm";
import { seconds } from "#app/platform/units.ts";
import { cacheHosts } from "#app/platform/upstream/host-list.server.ts";
import { db } from "#db/client.server.ts";
import { episodeSources, episodeSubtitles } from "#db/schema/episodes.ts";

/** The hosts of registered sources and subtitles, for PROXY_ALLOWED_HOSTS=catalog. */
export const getRegisteredHosts = cacheHosts(async () => {
  const originOf = (url: typeof episodeSources.url | typeof episodeSubtitles.url) =>
    sql<string | null>`lower(substring(${url} from '(?i)^https?://[^/?#]+'))`;
  const rows = await Promise.all([
    db.selectDistinct({ origin: originOf(episodeSources.url) }).from(episodeSources),
    db.selectDistinct({ origin: originOf(episodeSubtitles.url) }).from(episodeSubtitles),
  ]);
  return rows.flat().map(({ origin }) => origin);
}, seconds(10));

import { sql } from "drizzle-orm";
import { seconds } from "#app/platform/units.ts";
import { cacheHosts } from "#app/platform/upstream/host-list.server.ts";
import { db } from "#db/client.server.ts";
import { episodeSources, episodeSubtitles } from "#db/schema/episodes.ts";

/** The hosts of registered sources and subtitles, for PROXY_ALLOWED_HOSTS=catalog. */
export const getRegisteredHosts = cacheHosts(async () => {
  const host = (url: typeof episodeSources.url | typeof episodeSubtitles.url) =>
    sql<string>`lower(substring(${url} from '(?i)^https?://([^/?#]+)'))`;
  const rows = await Promise.all([
    db.selectDistinct({ host: host(episodeSources.url) }).from(episodeSources),
    db.selectDistinct({ host: host(episodeSubtitles.url) }).from(episodeSubtitles),
  ]);
  return rows.flat().map(({ host: name }) => name);
}, seconds(10));

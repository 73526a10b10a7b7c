import { sql } from "drizzle-orm";
import { type Viewer, visibleTo } from "#app/domain/catalog/catalog.server.ts";
import { db } from "#db/client.server.ts";
import { titles } from "#db/schema/catalog.ts";
import { episodeSources, episodeSubtitles } from "#db/schema/episodes.ts";

/**
 * Whether a URL plays a title that this viewer may not see, and none that it may: a source, subtitles, or what lies in the
 * folder of a source that is a playlist.
 */
export async function isWithheld(url: string, viewer: Viewer): Promise<boolean> {
  const folder = sql`substring(${episodeSources.url} from '^[^?#]*/')`;
  const [row] = await db.execute<{ isShown: boolean | null }>(sql`
    select bool_or(${visibleTo(viewer)}) as "isShown" from ${titles} where mal_id in (
      select mal_id from ${episodeSources}
       where ${episodeSources.url} = ${url} or (${episodeSources.type} = 'hls' and starts_with(${url}, ${folder}))
      union all select mal_id from ${episodeSubtitles} where ${episodeSubtitles.url} = ${url})`);
  return row?.isShown === false;
}

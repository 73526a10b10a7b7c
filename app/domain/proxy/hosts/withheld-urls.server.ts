import { sql } from "drizzle-orm";
import { type Viewer, visibleTo } from "#app/domain/visibility/visibility.server.ts";
import { db } from "#db/client.server.ts";
import { titles } from "#db/schema/catalog.ts";
import { episodeSources, episodeSubtitles } from "#db/schema/episodes.ts";

/**
 * Whether a URL belongs to a title that this viewer may not see, and to no title that the viewer may see. It can be a
 * source, subtitles, or a file in the folder of a source that is a playlist.
 */
export async function isWithheld(url: string, viewer: Viewer): Promise<boolean> {
  const spellings = sql`array[${sql.join(
    spellingsOf(url).map((one) => sql`${one}`),
    sql`, `,
  )}]::text[]`;
  const folder = sql`substring(${episodeSources.url} from '^[^?#]*/')`;
  const [row] = await db.execute<{ isShown: boolean | null }>(sql`
    select bool_or(${visibleTo(viewer)}) as "isShown" from ${titles} where mal_id in (
      select mal_id from ${episodeSources}
       where ${episodeSources.url} = any(${spellings}) or (${episodeSources.type} = 'hls'
         and exists (select from unnest(${spellings}) as spelling where starts_with(spelling, ${folder})))
      union all select mal_id from ${episodeSubtitles} where ${episodeSubtitles.url} = any(${spellings}))`);
  return row?.isShown === false;
}

/** Other spellings of a URL that its server takes for the same: `HTTPS://host:443/a/./b.mp4#x`. */
function spellingsOf(url: string): string[] {
  if (!URL.canParse(url)) return [url];
  const parsed = new URL(url);
  parsed.hash = "";
  parsed.pathname = parsed.pathname.replace(/\/{2,}/g, "/");
  const withoutQuery = new URL(parsed);
  withoutQuery.search = "";
  const plain = [parsed.href, withoutQuery.href];
  return [...new Set([url, ...plain, ...plain.map(decodedUrl)])];
}

function decodedUrl(url: string): string {
  try {
    return decodeURI(url);
  } catch {
    return url;
  }
}

import type { Suggestion } from "./catalog.ts";
import { listTitlesById } from "./listing.server.ts";
import { findMatches } from "./search.server.ts";

const most = 8;
/** So many are looked at, in case parental control hides the first. */
const looked = 40;

export async function suggestTitles(query: string, showMature: boolean): Promise<Suggestion[]> {
  const found = (await findMatches(query)).found.slice(0, looked);
  const aliases = new Map(found.map(({ malId, alias }) => [malId, alias]));
  const shown = await listTitlesById([...aliases.keys()], showMature);
  return shown
    .slice(0, most)
    .map(({ mal_id, title, title_english, title_japanese, type, year, image_webp }) => ({
      mal_id,
      title,
      title_english,
      title_japanese,
      matched: aliases.get(mal_id) ?? title,
      type,
      year,
      image: image_webp,
    }));
}

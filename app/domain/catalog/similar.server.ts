import { sql } from "drizzle-orm";
import { db } from "#db/client.server.ts";
import { titles } from "#db/schema/catalog.ts";
import type { SimilarAnime } from "./catalog.ts";
import { findTitle, readTitles } from "./listing.server.ts";

export async function listSimilarTitles(
  malId: number,
  limit: number,
  showMature: boolean,
): Promise<SimilarAnime[]> {
  const found = await findTitle(malId);
  if (!found) return [];
  const { genres } = found.anime;
  const rows = await db.execute<{ mal_id: number }>(sql`
    select mal_id from ${titles} where mal_id <> ${malId} and (${showMature} or not is_mature)
    and genres @> ${`{${genres.map((name) => `"${name}"`).join(",")}}`}::text[]
    order by popularity asc nulls last, mal_id limit ${limit}`);
  const animes = await readTitles(rows.map((row) => row.mal_id));
  return animes.map((anime) => ({ anime, reason: genres.slice(0, 3).join(", ") }));
}

import { and, eq, sql } from "drizzle-orm";
import { db } from "#db/client.server.ts";
import { titleAliases, titles } from "#db/schema/catalog.ts";
import type { Suggestion } from "./catalog.ts";
import { visible } from "./filters.server.ts";
import { joined, searchKey } from "./normalise.ts";
import { rememberPerVersion } from "./version.server.ts";

export type Matches = { ids: number[]; best?: string; isGuess: boolean };
const remembered = rememberPerVersion<Matches>(2000);

export function findMatches(query: string): Promise<Matches> {
  const key = searchKey(query);
  return remembered(key, async () => {
    const pattern = `%${joined(key).replace(/[\\%_]/g, "\\$&")}%`;
    const rows = await db.execute<{ mal_id: number }>(
      sql`select distinct ${titleAliases.malId} from ${titleAliases} where ${titleAliases.joined} like ${pattern}`,
    );
    return { ids: rows.map((row) => row.mal_id), isGuess: false };
  });
}

export async function suggestTitles(query: string, showMature: boolean): Promise<Suggestion[]> {
  const { ids } = await findMatches(query);
  const rows = await db
    .select({
      mal_id: titles.malId,
      title: titles.title,
      title_english: titles.titleEnglish,
      title_japanese: titles.titleJapanese,
      type: titles.type,
      year: titles.year,
      image: titles.imageWebp,
    })
    .from(titles)
    .where(and(visible(showMature), sql`${titles.malId} = any(${`{${ids.join(",")}}`}::int[])`))
    .limit(8);
  return rows.map((row) => ({ ...row, matched: row.title }));
}

export const ofTitle = (malId: number) => eq(titleAliases.malId, malId);

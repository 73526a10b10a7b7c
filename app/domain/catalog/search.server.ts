import { type SQL, sql } from "drizzle-orm";
import { db, withTransaction } from "#db/client.server.ts";
import { titleAliases, titles } from "#db/schema/catalog.ts";
import { closeness } from "./closeness.ts";
import { joined, searchKey } from "./normalise.ts";
import { rememberPerVersion } from "./version.server.ts";

/**
 * Finds titles by any of their names. Names that hold what was typed come first, by how well they match and how
 * many people know the title; if none does so exactly, the names that look most alike follow.
 */

export type Match = { malId: number /** The name that was found. */; alias: string };
/** Best first. A guess: no name holds what was typed. */
export type Matches = { found: Match[]; isGuess: boolean };

const remembered = rememberPerVersion<Matches>(150);

export function findMatches(query: string): Promise<Matches> {
  const key = searchKey(query);
  return remembered(key, () => (key === "" ? Promise.resolve(nothing) : search(key)));
}

const nothing: Matches = { found: [], isGuess: false };
/** Up to this length a query is a name or the beginning of one. */
const shortest = 2;
/** With so many that hold it, nobody needs those that look like it. */
const plenty = 10;

async function search(key: string): Promise<Matches> {
  const isShort = [...joined(key)].length <= shortest;
  const holding = await findHolding(key, isShort);
  const hasExact = holding[0]?.isExact ?? false;
  if (isShort || hasExact || holding.length >= plenty) return { found: holding, isGuess: false };
  const known = new Set(holding.map(({ malId }) => malId));
  const alike = (await findAlike(key)).filter(({ malId }) => !known.has(malId));
  return { found: [...holding, ...alike], isGuess: holding.length === 0 };
}

/** How well known a title is, from 0 to 1; the square root keeps the famous from drowning everything. */
const fame = sql`least(1, sqrt(coalesce(${titles.members}, 0) / 4000000.0))`;
const mostFound = 2000;

const likePattern = (text: string) => text.replace(/[\\%_]/g, "\\$&");

type HoldingRow = { mal_id: number; alias: string; is_exact: boolean };

async function findHolding(key: string, isShort: boolean): Promise<(Match & { isExact: boolean })[]> {
  const { key: name, joined: run, kind, alias, malId } = titleAliases;
  const typed = joined(key);
  const pattern = likePattern(key);
  const exact = sql`(${name} = ${key} or ${run} = ${typed})`;
  const rows = await db.execute<HoldingRow>(sql`
    select mal_id, alias, is_exact from (
      select distinct on (a.mal_id) a.mal_id, a.alias, a.is_exact,
        a.quality + 0.1 * least(1, ${typed.length} / length(a.joined)::float) + 0.4 * ${fame} as rank
      from (
        select ${malId}, ${alias}, ${run}, ${exact} as is_exact, case
          when ${exact} and ${kind} = 'synonym' then 1.15
          when ${exact} then 1.2
          when ${name} like ${`${pattern} %`} then 0.8
          when ${run} like ${`${likePattern(typed)}%`} then 0.76
          when ${name} like ${`% ${pattern} %`} or ${name} like ${`% ${pattern}`} then 0.72
          when ${name} like ${`% ${pattern}%`} then 0.66
          else 0.5 end as quality
        from ${titleAliases} where ${isShort ? sql`${run} like ${`${likePattern(typed)}%`}` : holds(key)}
      ) a join ${titles} on ${titles.malId} = a.mal_id
      order by a.mal_id, rank desc
    ) best order by rank desc, mal_id limit ${mostFound}`);
  return rows.map((row) => ({ malId: row.mal_id, alias: row.alias, isExact: row.is_exact }));
}

/** The whole as one run of letters, or every word somewhere. Words too short for the index count together. */
function holds(key: string): SQL {
  const words = key.split(" ");
  const pieces = words.some((word) => word.length > shortest) ? words : [key];
  const everyWord = sql.join(
    pieces.map((word) => sql`${titleAliases.key} like ${`%${likePattern(word)}%`}`),
    sql` and `,
  );
  return sql`(${titleAliases.joined} like ${`%${likePattern(joined(key))}%`} or (${everyWord}))`;
}

/** Short words share few trigrams with their misspellings. */
const leastSimilarity = (key: string) => (key.length <= 5 ? 0.19 : key.length <= 8 ? 0.25 : 0.3);
const mostAlike = 300;
const leastCloseness = 0.55;

type AlikeRow = { mal_id: number; alias: string; key: string; joined: string; fame: number };

async function findAlike(key: string): Promise<Match[]> {
  const typed = joined(key);
  const rows = await withTransaction(async (transaction) => {
    await transaction.execute(
      sql`select set_config('pg_trgm.similarity_threshold', ${String(leastSimilarity(key))}, true)`,
    );
    const { key: name, joined: run, alias, malId } = titleAliases;
    return transaction.execute<AlikeRow>(sql`
      select ${malId}, ${alias}, ${name}, ${run}, ${fame}::float as fame
      from ${titleAliases} join ${titles} using (mal_id)
      where ${name} % ${key} or ${run} % ${typed}
      order by greatest(similarity(${name}, ${key}), similarity(${run}, ${typed})) desc
      limit ${mostAlike}`);
  });
  const ranked = rows
    .map((row) => {
      const close = Math.max(closeness(key, row.key), closeness(typed, row.joined));
      return { malId: row.mal_id, alias: row.alias, close, rank: close + 0.1 * row.fame };
    })
    .filter(({ close }) => close >= leastCloseness)
    .sort((a, b) => b.rank - a.rank || a.malId - b.malId);
  return firstOfEach(ranked);
}

function firstOfEach(matches: readonly Match[]): Match[] {
  const best = new Map<number, Match>();
  for (const { malId, alias } of matches) if (!best.has(malId)) best.set(malId, { malId, alias });
  return [...best.values()];
}

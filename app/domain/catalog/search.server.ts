import { type SQL, sql } from "drizzle-orm";
import { db, type Transaction, withTransaction } from "#db/client.server.ts";
import { titleAliases, titles } from "#db/schema/catalog.ts";
import { nameSimilarity } from "./name-similarity.ts";
import { searchKey, withoutSpaces } from "./normalise.ts";
import { rememberPerVersion } from "./version.server.ts";
import { type Viewer, viewerKey, visibleTo } from "./visibility/viewer.server.ts";

/**
 * Finds titles by any of their names. Names that contain the typed text come first, ranked by the kind of match and by
 * how popular the title is. If no name equals the typed text, similar names follow.
 */

type Match = {
  malId: number;
  /** The name that matched. */
  alias: string;
};
/** The best match comes first. `isGuess`: no name contains the typed text, so these are similar names. */
export type Matches = { found: Match[]; isGuess: boolean };

const cachedMatches = rememberPerVersion<Matches>(150);

/** A title that the viewer may not see is no match: an exact one would otherwise keep similar names from being found. */
export async function findMatches(query: string, viewer: Viewer): Promise<Matches> {
  const key = searchKey(query);
  const matches = await cachedMatches(`${viewerKey(viewer)} ${key}`, () =>
    key === "" ? Promise.resolve(noMatches) : search(key, viewer),
  );
  const [first] = matches.found;
  return first && searchKey(first.alias) === key
    ? exactNameFirst(matches, query.trim().toLowerCase())
    : matches;
}

/** `Gintama` and `Gintama°` have the same key. The name that equals the typed text exactly comes first. */
function exactNameFirst({ found, isGuess }: Matches, typed: string): Matches {
  const same = found.find(({ alias }) => alias.toLowerCase() === typed);
  return { found: same ? [same, ...found.filter((match) => match !== same)] : found, isGuess };
}

const noMatches: Matches = { found: [], isGuess: false };
/** A query of up to this length matches only the beginning of names: it has no trigrams that an index could use. */
const maxShortKeyLength = 2;
/** A query of this length that a name contains is rarely a typing mistake, so search does not look for similar names. */
const minDistinctiveLength = 7;
/** When this many names contain the query, search does not look for similar names. */
const enoughMatches = 10;

/** PostgreSQL makes trigrams of letters and digits only. A query without any would scan the whole table. */
const hasIndexableCharacter = /[\p{L}\p{N}]/u;

async function search(key: string, viewer: Viewer): Promise<Matches> {
  const isShort = [...withoutSpaces(key)].length <= maxShortKeyLength || !hasIndexableCharacter.test(key);
  const containing = await findContaining(key, isShort, viewer);
  const hasExact = containing[0]?.isExact ?? false;
  const unbroken = containing.filter(({ isScattered }) => !isScattered);
  const isDistinctive = unbroken.length > 0 && withoutSpaces(key).length >= minDistinctiveLength;
  if (isShort || hasExact || isDistinctive || containing.length >= enoughMatches)
    return { found: containing, isGuess: false };
  const similar = await findSimilarNames(key, viewer);
  const convincing = similar.filter(({ similarity }) => similarity >= minConvincingSimilarity);
  // A long name often contains all typed words by chance, so a name with one wrong letter comes before it.
  const found = firstMatchOfEachTitle([...unbroken, ...convincing, ...containing, ...similar]);
  return { found, isGuess: unbroken.length === 0 && (convincing.length > 0 || containing.length === 0) };
}

/** Popularity from 0 to 1. The square root keeps very popular titles from outranking every better match. */
const popularitySql = sql`least(1, sqrt(coalesce(${titles.members}, 0) / 4000000.0))`;
const maxMatches = 2000;

const likePattern = (text: string) => text.replace(/[\\%_]/g, "\\$&");

/** The quality of a name that contains the typed words separately, or inside other words. */
const scatteredQuality = 0.5;

type ContainingRow = { mal_id: number; alias: string; is_exact: boolean; is_scattered: boolean };
type ContainingMatch = Match & { isExact: boolean; isScattered: boolean };

async function findContaining(key: string, isShort: boolean, viewer: Viewer): Promise<ContainingMatch[]> {
  const { key: name, joined: run, kind, alias, malId } = titleAliases;
  const typed = withoutSpaces(key);
  const pattern = likePattern(key);
  const exact = sql`(${name} = ${key} or ${run} = ${typed})`;
  const rows = await db.execute<ContainingRow>(sql`
    select mal_id, alias, is_exact, quality = ${scatteredQuality}::numeric as is_scattered from (
      select distinct on (a.mal_id) a.mal_id, a.alias, a.is_exact, a.quality,
        a.quality + 0.1 * least(1, ${typed.length} / length(a.joined)::float) + 0.4 * ${popularitySql} as rank
      from (
        select ${malId}, ${alias}, ${run}, ${exact} as is_exact, case
          when ${exact} and ${kind} = 'synonym' then 1.15
          when ${exact} then 1.2
          when ${name} like ${`${pattern} %`} then 0.8
          when ${run} like ${`${likePattern(typed)}%`} then 0.76
          when ${name} like ${`% ${pattern} %`} or ${name} like ${`% ${pattern}`} then 0.72
          when ${name} like ${`% ${pattern}%`} then 0.66
          else ${scatteredQuality}::numeric end as quality
        from ${titleAliases} where ${isShort ? sql`${run} like ${`${likePattern(typed)}%`}` : containsCondition(key)}
        ${mayBeInitials.test(key) ? sql`union all ${initialsQuery(key)}` : sql``}
      ) a join ${titles} on ${titles.malId} = a.mal_id and ${visibleTo(viewer)}
      order by a.mal_id, rank desc
    ) best order by rank desc, mal_id limit ${maxMatches}`);
  return rows.map((row) => ({
    malId: row.mal_id,
    alias: row.alias,
    isExact: row.is_exact,
    isScattered: row.is_scattered,
  }));
}

const mayBeInitials = /^[^ ]{3,10}$/;
/** Many names share the same three initials, and people type initials only of popular titles. */
const minMembersForInitials = 50_000;

/** A text without a vowel is not a word, so it ranks higher as initials. */
function initialsQuery(key: string): SQL {
  const { joined: run, initials, alias, malId } = titleAliases;
  return sql`
    select ${malId}, ${alias}, ${run}, false as is_exact, ${/[aeiou]/.test(key) ? 0.85 : 1.2}::numeric as quality
    from ${titleAliases} join ${titles} using (mal_id)
    where ${initials} = ${key} and ${titles.members} >= ${minMembersForInitials}`;
}

/**
 * A name contains the query when it contains all of it without spaces, or each of its words. If every word is too short
 * for the trigram index, the words are searched together.
 */
function containsCondition(key: string): SQL {
  const words = key.split(" ");
  const pieces = words.some((word) => word.length > maxShortKeyLength) ? words : [key];
  const everyWord = sql.join(
    pieces.map((word) => sql`${titleAliases.key} like ${`%${likePattern(word)}%`}`),
    sql` and `,
  );
  return sql`(${titleAliases.joined} like ${`%${likePattern(withoutSpaces(key))}%`} or (${everyWord}))`;
}

/** The share of trigrams that remains after one wrong letter. For long names, 0.5 allows several wrong letters. */
const minTrigramSimilarity = (length: number) => minSimilarityByLength[length] ?? 0.5;
/** For three letters, a lower value would accept every name that begins with the same letters. */
const minSimilarityByLength: Record<number, number> = { 3: 0.28, 4: 0.25, 5: 0.33, 6: 0.4, 7: 0.45 };
const maxSimilar = 300;
const minNameSimilarity = 0.6;
/** Names that are less similar than the best one by more than this are left out. */
const maxBehindBest = 0.25;
/** One wrong letter in five still passes. */
const minConvincingSimilarity = 0.75;

type SimilarRow = { mal_id: number; alias: string; key: string; joined: string; popularity: number };
type RankedMatch = Match & { similarity: number; rank: number };

/**
 * Compares names without spaces first, because that index returns fewer rows. It looks for similar words inside names
 * only when the first step finds no convincing match.
 */
async function findSimilarNames(key: string, viewer: Viewer): Promise<RankedMatch[]> {
  const typed = withoutSpaces(key);
  return withTransaction(async (transaction) => {
    await transaction.execute(
      sql`select set_config('pg_trgm.word_similarity_threshold', ${String(minTrigramSimilarity(typed.length))}, true)`,
    );
    const readSimilar = (name: SQL, text: string) =>
      readSimilarRows(transaction, { name, typed: text, viewer });
    const runs = await readSimilar(sql`${titleAliases.joined}`, typed);
    const ranked = rankBySimilarity(runs, key);
    if ((ranked[0]?.similarity ?? 0) >= minConvincingSimilarity) return ranked;
    const words = await readSimilar(sql`${titleAliases.key}`, key);
    return rankBySimilarity([...runs, ...words], key);
  });
}

/** Joins `titles` last. Inside the subquery, the join would read the popularity of the whole catalog. */
function readSimilarRows(
  transaction: Transaction,
  { name, typed, viewer }: { name: SQL; typed: string; viewer: Viewer },
) {
  const row = sql`${titleAliases.malId}, ${titleAliases.alias}, ${titleAliases.key}, ${titleAliases.joined}`;
  return transaction.execute<SimilarRow>(sql`
    select mal_id, alias, key, joined, ${popularitySql}::float as popularity
    from (
      (select ${row} from ${titleAliases} where ${name} %> ${typed}
       order by word_similarity(${typed}, ${name}) + similarity(${name}, ${typed}) desc limit ${maxSimilar})
      union all
      (select ${row} from ${titleAliases} where ${name} = any(${sql.param(commonTypos(typed))}::text[])
       limit ${maxSimilar})
    ) alike join ${titles} using (mal_id) where ${visibleTo(viewer)}`);
}

/** In longer names, two swapped letters leave enough trigrams for the index to find the name. */
const maxTypoLength = 12;

/** Short names with two swapped letters or one extra letter share almost no trigrams with the right name. */
function commonTypos(typed: string): string[] {
  const letters = [...typed];
  if (letters.length > maxTypoLength) return [];
  return letters.flatMap((letter, at) => {
    const [before, after] = [letters.slice(0, at).join(""), letters.slice(at + 1)];
    const [next = "", ...rest] = after;
    return [before + after.join(""), before + next + letter + rest.join("")];
  });
}

function rankBySimilarity(rows: readonly SimilarRow[], key: string): RankedMatch[] {
  const typed = withoutSpaces(key);
  const ranked = rows.map((row) => {
    const similarity = Math.max(nameSimilarity(key, row.key), nameSimilarity(typed, row.joined));
    return { malId: row.mal_id, alias: row.alias, similarity, rank: similarity + 0.1 * row.popularity };
  });
  const best = ranked.reduce((max, { similarity }) => Math.max(max, similarity), 0);
  return ranked
    .filter(({ similarity }) => similarity >= Math.max(minNameSimilarity, best - maxBehindBest))
    .sort((a, b) => b.rank - a.rank || a.malId - b.malId);
}

function firstMatchOfEachTitle(matches: readonly Match[]): Match[] {
  const best = new Map<number, Match>();
  for (const { malId, alias } of matches) if (!best.has(malId)) best.set(malId, { malId, alias });
  return [...best.values()];
}

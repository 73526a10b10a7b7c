import { type SQL, sql } from "drizzle-orm";
import { db, type Transaction, withTransaction } from "#db/client.server.ts";
import { titleAliases, titles } from "#db/schema/catalog.ts";
import { nameSimilarity } from "./name-similarity.ts";
import { searchKey, withoutSpaces } from "./normalise.ts";
import { rememberPerVersion } from "./version.server.ts";

/**
 * Finds titles by any of their names. Names that hold what was typed come first, by how well they match and how
 * many people know the title; if none does so exactly, the names that look most alike follow.
 */

type Match = {
  malId: number;
  /** The name that was found. */
  alias: string;
};
/** Best first. A guess: no name holds what was typed. */
export type Matches = { found: Match[]; isGuess: boolean };

const cachedMatches = rememberPerVersion<Matches>(150);

export async function findMatches(query: string): Promise<Matches> {
  const key = searchKey(query);
  const matches = await cachedMatches(key, () => (key === "" ? Promise.resolve(noMatches) : search(key)));
  const [first] = matches.found;
  return first && searchKey(first.alias) === key ? toTheLetter(matches, query.trim().toLowerCase()) : matches;
}

/** Names that come out alike once normalised are told apart by what normalising took off: `Gintama°`. */
function toTheLetter({ found, isGuess }: Matches, typed: string): Matches {
  const same = found.find(({ alias }) => alias.toLowerCase() === typed);
  return { found: same ? [same, ...found.filter((match) => match !== same)] : found, isGuess };
}

const noMatches: Matches = { found: [], isGuess: false };
/** Up to this length a query is a name or the beginning of one. */
const maxShortKeyLength = 2;
/** So much of a name is seldom the beginning of another by mistake. */
const minDistinctiveLength = 7;
/** With so many that hold it, nobody needs those that look like it. */
const enoughMatches = 10;

/** Trigrams are made of letters and digits: without any, no index finds what holds it, nor what looks like it. */
const hasIndexableCharacter = /[\p{L}\p{N}]/u;

async function search(key: string): Promise<Matches> {
  const isShort = [...withoutSpaces(key)].length <= maxShortKeyLength || !hasIndexableCharacter.test(key);
  const holding = await findContaining(key, isShort);
  const hasExact = holding[0]?.isExact ?? false;
  const whole = holding.filter(({ isScattered }) => !isScattered);
  const isTelling = whole.length > 0 && withoutSpaces(key).length >= minDistinctiveLength;
  if (isShort || hasExact || isTelling || holding.length >= enoughMatches)
    return { found: holding, isGuess: false };
  const alike = await findSimilarNames(key);
  const meant = alike.filter(({ close }) => close >= minConvincingCloseness);
  // Every word somewhere in a long name is often chance: a name with a letter wrong is likelier meant.
  const found = firstMatchOfEachTitle([...whole, ...meant, ...holding, ...alike]);
  return { found, isGuess: whole.length === 0 && (meant.length > 0 || holding.length === 0) };
}

/** How well known a title is, from 0 to 1; the square root keeps the famous from drowning everything. */
const popularitySql = sql`least(1, sqrt(coalesce(${titles.members}, 0) / 4000000.0))`;
const maxMatches = 2000;

const likePattern = (text: string) => text.replace(/[\\%_]/g, "\\$&");

/** A name that holds what was typed only as single words, or in the middle of one. */
const scatteredQuality = 0.5;

type ContainingRow = { mal_id: number; alias: string; is_exact: boolean; is_scattered: boolean };
type ContainingMatch = Match & { isExact: boolean; isScattered: boolean };

async function findContaining(key: string, isShort: boolean): Promise<ContainingMatch[]> {
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
      ) a join ${titles} on ${titles.malId} = a.mal_id
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
/** Three letters are the initials of a great many names: only of those that many people know are they typed. */
const minMembersForInitials = 50_000;

/** Without a vowel it is no word, so that initials are what was meant. */
function initialsQuery(key: string): SQL {
  const { joined: run, initials, alias, malId } = titleAliases;
  return sql`
    select ${malId}, ${alias}, ${run}, false as is_exact, ${/[aeiou]/.test(key) ? 0.85 : 1.2}::numeric as quality
    from ${titleAliases} join ${titles} using (mal_id)
    where ${initials} = ${key} and ${titles.members} >= ${minMembersForInitials}`;
}

/** The whole as one run of letters, or every word somewhere. Words too short for the index count together. */
function containsCondition(key: string): SQL {
  const words = key.split(" ");
  const pieces = words.some((word) => word.length > maxShortKeyLength) ? words : [key];
  const everyWord = sql.join(
    pieces.map((word) => sql`${titleAliases.key} like ${`%${likePattern(word)}%`}`),
    sql` and `,
  );
  return sql`(${titleAliases.joined} like ${`%${likePattern(withoutSpaces(key))}%`} or (${everyWord}))`;
}

/** The share of its trigrams that a name keeps in spite of one letter wrong; half forgives long names several. */
const minTrigramSimilarity = (length: number) => minSimilarityByLength[length] ?? 0.5;
/** Three letters share only how they begin with too many. */
const minSimilarityByLength: Record<number, number> = { 3: 0.28, 4: 0.25, 5: 0.33, 6: 0.4, 7: 0.45 };
const maxSimilar = 300;
const minCloseness = 0.6;
/** What is so much further off than the closest name is noise beside it. */
const maxBehindClosest = 0.25;
/** A name this close was meant: one letter wrong in five. */
const minConvincingCloseness = 0.75;

type SimilarRow = { mal_id: number; alias: string; key: string; joined: string; fame: number };
type RankedMatch = Match & { close: number; rank: number };

/**
 * Names without their spaces first: fewer share half of a run than share half of the words in it. Only when nothing
 * there convinces are words looked for inside names too.
 */
async function findSimilarNames(key: string): Promise<RankedMatch[]> {
  const typed = withoutSpaces(key);
  return withTransaction(async (transaction) => {
    await transaction.execute(
      sql`select set_config('pg_trgm.word_similarity_threshold', ${String(minTrigramSimilarity(typed.length))}, true)`,
    );
    const runs = await readSimilarRows(transaction, sql`${titleAliases.joined}`, typed);
    const ranked = byCloseness(runs, key);
    if ((ranked[0]?.close ?? 0) >= minConvincingCloseness) return ranked;
    const words = await readSimilarRows(transaction, sql`${titleAliases.key}`, key);
    return byCloseness([...runs, ...words], key);
  });
}

/** Fame is read for those that are left alone: joined any earlier, it would be read for the whole catalog. */
function readSimilarRows(transaction: Transaction, name: SQL, typed: string) {
  const row = sql`${titleAliases.malId}, ${titleAliases.alias}, ${titleAliases.key}, ${titleAliases.joined}`;
  return transaction.execute<SimilarRow>(sql`
    select mal_id, alias, key, joined, ${popularitySql}::float as fame
    from (
      (select ${row} from ${titleAliases} where ${name} %> ${typed}
       order by word_similarity(${typed}, ${name}) + similarity(${name}, ${typed}) desc limit ${maxSimilar})
      union all
      (select ${row} from ${titleAliases} where ${name} = any(${sql.param(commonTypos(typed))}::text[])
       limit ${maxSimilar})
    ) alike join ${titles} using (mal_id)`);
}

/** The more letters, the more trigrams two swapped ones leave whole. */
const maxTypoLength = 12;

/** Short names with two letters swapped or one too many share next to no trigram with what was meant. */
function commonTypos(typed: string): string[] {
  const letters = [...typed];
  if (letters.length > maxTypoLength) return [];
  return letters.flatMap((letter, at) => {
    const [before, after] = [letters.slice(0, at).join(""), letters.slice(at + 1)];
    const [next = "", ...rest] = after;
    return [before + after.join(""), before + next + letter + rest.join("")];
  });
}

function byCloseness(rows: readonly SimilarRow[], key: string): RankedMatch[] {
  const typed = withoutSpaces(key);
  const ranked = rows.map((row) => {
    const close = Math.max(nameSimilarity(key, row.key), nameSimilarity(typed, row.joined));
    return { malId: row.mal_id, alias: row.alias, close, rank: close + 0.1 * row.fame };
  });
  const closest = ranked.reduce((most, { close }) => Math.max(most, close), 0);
  return ranked
    .filter(({ close }) => close >= Math.max(minCloseness, closest - maxBehindClosest))
    .sort((a, b) => b.rank - a.rank || a.malId - b.malId);
}

function firstMatchOfEachTitle(matches: readonly Match[]): Match[] {
  const best = new Map<number, Match>();
  for (const { malId, alias } of matches) if (!best.has(malId)) best.set(malId, { malId, alias });
  return [...best.values()];
}

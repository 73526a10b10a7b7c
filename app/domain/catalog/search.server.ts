import { type SQL, sql } from "drizzle-orm";
import { db, type Transaction, withTransaction } from "#db/client.server.ts";
import { titleAliases, titles } from "#db/schema/catalog.ts";
import { closeness } from "./closeness.ts";
import { joined, searchKey } from "./normalise.ts";
import { rememberPerVersion } from "./version.server.ts";

/**
 * Finds titles by any of their names. Names that hold what was typed come first, by how well they match and how
 * many people know the title; if none does so exactly, the names that look most alike follow.
 */

export type Match = {
  malId: number;
  /** The name that was found. */
  alias: string;
};
/** Best first. A guess: no name holds what was typed. */
export type Matches = { found: Match[]; isGuess: boolean };

const remembered = rememberPerVersion<Matches>(150);

export async function findMatches(query: string): Promise<Matches> {
  const key = searchKey(query);
  const matches = await remembered(key, () => (key === "" ? Promise.resolve(nothing) : search(key)));
  const [first] = matches.found;
  return first && searchKey(first.alias) === key ? toTheLetter(matches, query.trim().toLowerCase()) : matches;
}

/** Names that come out alike once normalised are told apart by what normalising took off: `Gintama°`. */
function toTheLetter({ found, isGuess }: Matches, typed: string): Matches {
  const same = found.find(({ alias }) => alias.toLowerCase() === typed);
  return { found: same ? [same, ...found.filter((match) => match !== same)] : found, isGuess };
}

const nothing: Matches = { found: [], isGuess: false };
/** Up to this length a query is a name or the beginning of one. */
const shortest = 2;
/** So much of a name is seldom the beginning of another by mistake. */
const telling = 7;
/** With so many that hold it, nobody needs those that look like it. */
const plenty = 10;

/** Trigrams are made of letters and digits: without any, no index finds what holds it, nor what looks like it. */
const indexable = /[\p{L}\p{N}]/u;

async function search(key: string): Promise<Matches> {
  const isShort = [...joined(key)].length <= shortest || !indexable.test(key);
  const holding = await findHolding(key, isShort);
  const hasExact = holding[0]?.isExact ?? false;
  const whole = holding.filter(({ isScattered }) => !isScattered);
  const isTelling = whole.length > 0 && joined(key).length >= telling;
  if (isShort || hasExact || isTelling || holding.length >= plenty) return { found: holding, isGuess: false };
  const alike = await findAlike(key);
  const meant = alike.filter(({ close }) => close >= convincing);
  // Every word somewhere in a long name is often chance: a name with a letter wrong is likelier meant.
  const found = firstOfEach([...whole, ...meant, ...holding, ...alike]);
  return { found, isGuess: whole.length === 0 && (meant.length > 0 || holding.length === 0) };
}

/** How well known a title is, from 0 to 1; the square root keeps the famous from drowning everything. */
const fame = sql`least(1, sqrt(coalesce(${titles.members}, 0) / 4000000.0))`;
const mostFound = 2000;

const likePattern = (text: string) => text.replace(/[\\%_]/g, "\\$&");

/** A name that holds what was typed only as single words, or in the middle of one. */
const scattered = 0.5;

type HoldingRow = { mal_id: number; alias: string; is_exact: boolean; is_scattered: boolean };
type Holding = Match & { isExact: boolean; isScattered: boolean };

async function findHolding(key: string, isShort: boolean): Promise<Holding[]> {
  const { key: name, joined: run, kind, alias, malId } = titleAliases;
  const typed = joined(key);
  const pattern = likePattern(key);
  const exact = sql`(${name} = ${key} or ${run} = ${typed})`;
  const rows = await db.execute<HoldingRow>(sql`
    select mal_id, alias, is_exact, quality = ${scattered}::numeric as is_scattered from (
      select distinct on (a.mal_id) a.mal_id, a.alias, a.is_exact, a.quality,
        a.quality + 0.1 * least(1, ${typed.length} / length(a.joined)::float) + 0.4 * ${fame} as rank
      from (
        select ${malId}, ${alias}, ${run}, ${exact} as is_exact, case
          when ${exact} and ${kind} = 'synonym' then 1.15
          when ${exact} then 1.2
          when ${name} like ${`${pattern} %`} then 0.8
          when ${run} like ${`${likePattern(typed)}%`} then 0.76
          when ${name} like ${`% ${pattern} %`} or ${name} like ${`% ${pattern}`} then 0.72
          when ${name} like ${`% ${pattern}%`} then 0.66
          else ${scattered}::numeric end as quality
        from ${titleAliases} where ${isShort ? sql`${run} like ${`${likePattern(typed)}%`}` : holds(key)}
        ${mayBeInitials.test(key) ? sql`union all ${abbreviatedAs(key)}` : sql``}
      ) a join ${titles} on ${titles.malId} = a.mal_id
      order by a.mal_id, rank desc
    ) best order by rank desc, mal_id limit ${mostFound}`);
  return rows.map((row) => ({
    malId: row.mal_id,
    alias: row.alias,
    isExact: row.is_exact,
    isScattered: row.is_scattered,
  }));
}

const mayBeInitials = /^[^ ]{3,10}$/;
/** Three letters are the initials of a great many names: only of those that many people know are they typed. */
const leastMembers = 50_000;

/** Without a vowel it is no word, so that initials are what was meant. */
function abbreviatedAs(key: string): SQL {
  const { joined: run, initials, alias, malId } = titleAliases;
  return sql`
    select ${malId}, ${alias}, ${run}, false as is_exact, ${/[aeiou]/.test(key) ? 0.85 : 1.2}::numeric as quality
    from ${titleAliases} join ${titles} using (mal_id)
    where ${initials} = ${key} and ${titles.members} >= ${leastMembers}`;
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

/** The share of its trigrams that a name keeps in spite of one letter wrong; half forgives long names several. */
const leastShared = (length: number) => leastOfShort[length] ?? 0.5;
/** Three letters share only how they begin with too many. */
const leastOfShort: Record<number, number> = { 3: 0.28, 4: 0.25, 5: 0.33, 6: 0.4, 7: 0.45 };
const mostAlike = 300;
const leastCloseness = 0.6;
/** What is so much further off than the closest name is noise beside it. */
const mostBehind = 0.25;
/** A name this close was meant: one letter wrong in five. */
const convincing = 0.75;

type AlikeRow = { mal_id: number; alias: string; key: string; joined: string; fame: number };
type Ranked = Match & { close: number; rank: number };

/**
 * Names without their spaces first: fewer share half of a run than share half of the words in it. Only when nothing
 * there convinces are words looked for inside names too.
 */
async function findAlike(key: string): Promise<Ranked[]> {
  const typed = joined(key);
  return withTransaction(async (transaction) => {
    await transaction.execute(
      sql`select set_config('pg_trgm.word_similarity_threshold', ${String(leastShared(typed.length))}, true)`,
    );
    const runs = await readAlike(transaction, sql`${titleAliases.joined}`, typed);
    const ranked = byCloseness(runs, key);
    if ((ranked[0]?.close ?? 0) >= convincing) return ranked;
    const words = await readAlike(transaction, sql`${titleAliases.key}`, key);
    return byCloseness([...runs, ...words], key);
  });
}

/** Fame is read for those that are left alone: joined any earlier, it would be read for the whole catalog. */
function readAlike(transaction: Transaction, name: SQL, typed: string) {
  const row = sql`${titleAliases.malId}, ${titleAliases.alias}, ${titleAliases.key}, ${titleAliases.joined}`;
  return transaction.execute<AlikeRow>(sql`
    select mal_id, alias, key, joined, ${fame}::float as fame
    from (
      (select ${row} from ${titleAliases} where ${name} %> ${typed}
       order by word_similarity(${typed}, ${name}) + similarity(${name}, ${typed}) desc limit ${mostAlike})
      union all
      (select ${row} from ${titleAliases} where ${name} = any(${sql.param(slips(typed))}::text[])
       limit ${mostAlike})
    ) alike join ${titles} using (mal_id)`);
}

/** The more letters, the more trigrams two swapped ones leave whole. */
const longestWithSlips = 12;

/** Short names with two letters swapped or one too many share next to no trigram with what was meant. */
function slips(typed: string): string[] {
  const letters = [...typed];
  if (letters.length > longestWithSlips) return [];
  return letters.flatMap((letter, at) => {
    const [before, after] = [letters.slice(0, at).join(""), letters.slice(at + 1)];
    const [next = "", ...rest] = after;
    return [before + after.join(""), before + next + letter + rest.join("")];
  });
}

function byCloseness(rows: readonly AlikeRow[], key: string): Ranked[] {
  const typed = joined(key);
  const ranked = rows.map((row) => {
    const close = Math.max(closeness(key, row.key), closeness(typed, row.joined));
    return { malId: row.mal_id, alias: row.alias, close, rank: close + 0.1 * row.fame };
  });
  const closest = ranked.reduce((most, { close }) => Math.max(most, close), 0);
  return ranked
    .filter(({ close }) => close >= Math.max(leastCloseness, closest - mostBehind))
    .sort((a, b) => b.rank - a.rank || a.malId - b.malId);
}

function firstOfEach(matches: readonly Match[]): Match[] {
  const best = new Map<number, Match>();
  for (const { malId, alias } of matches) if (!best.has(malId)) best.set(malId, { malId, alias });
  return [...best.values()];
}

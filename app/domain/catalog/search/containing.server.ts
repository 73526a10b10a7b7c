import { type SQL, type SQLWrapper, sql } from "drizzle-orm";
import { withoutSpaces } from "#app/domain/names/names.ts";
import { type Viewer, visibleTo } from "#app/domain/visibility/visibility.server.ts";
import { textArray } from "#db/arrays.ts";
import { db } from "#db/client.server.ts";
import { escapeLike } from "#db/like.ts";
import { titleAliases, titles } from "#db/schema/catalog.ts";
import { lettersOf } from "./index-key.ts";
import { type Candidate, fits } from "./match-rank.ts";

/** Finds names that contain the typed text or have it as initials. */

/** Texts up to this length match only the beginning of names: they have no trigrams for the index. */
const maxShortLength = 2;
/**
 * In scripts that are stored as codes, two letters are often a whole word. One letter has trigrams, but far too many
 * names contain it.
 */
const maxShortLengthInCodes = 1;
/** PostgreSQL makes trigrams only from letters and digits. A text without any would scan the whole table. */
const hasIndexableCharacter = /[a-z\d]/i;

export function isShort(key: string): boolean {
  const joined = withoutSpaces(key);
  const letters = lettersOf(joined);
  const maxLength = letters === joined ? maxShortLength : maxShortLengthInCodes;
  return letters.length <= maxLength || !hasIndexableCharacter.test(key);
}

const { key: name, joined, kind, alias, malId, initials } = titleAliases;
const isSynonym = sql`(kind = 'synonym')`;

/** For each title, its best name in which every typed word begins a word, or whose initials were typed. */
export const findBeginning = (key: string, viewer: Viewer): Promise<Candidate[]> =>
  readCandidates([namesThatBegin(key), ...(mayBeInitials.test(key) ? [namesWithInitials(key)] : [])], viewer);

/**
 * For a text that no single name contains as a whole: titles whose names contain it together, or names that contain it
 * inside words.
 */
export async function findScattered(
  key: string,
  viewer: Viewer,
  { alsoInsideWords }: { alsoInsideWords: boolean },
): Promise<Candidate[]> {
  const names = [
    ...(key.includes(" ") ? [severalNames(key)] : []),
    ...(alsoInsideWords && !isShort(key) ? [namesThatContain(key)] : []),
  ];
  return names.length === 0 ? [] : readCandidates(names, viewer);
}

type Row = Omit<Candidate, "malId"> & { mal_id: number };

/**
 * Reads every title: filters exclude titles only afterwards, and a limit would lose the ones that they let pass. A single
 * join for all names keeps planning time short.
 */
async function readCandidates(names: SQL[], viewer: Viewer): Promise<Candidate[]> {
  const rows = await db.execute<Row>(sql`
    select distinct on (mal_id) mal_id, alias, kind, fit, coverage, ${titles.members}
    from (${sql.join(names, sql` union all `)}) names join ${titles} using (mal_id)
    where ${visibleTo(viewer)} and (least_members = 0 or ${titles.members} >= least_members)
    order by mal_id, fit desc, ${isSynonym}, coverage desc`);
  return rows.map(({ mal_id, ...candidate }) => ({ malId: mal_id, ...candidate }));
}

const beginningWith = (text: string) => `${escapeLike(text)}%`;
const number = (value: number) => sql`${value}::float8`;

function fitOf(key: string): SQL {
  const pattern = escapeLike(key);
  const typed = withoutSpaces(key);
  return sql`case
    when ${name} = ${key} or ${joined} = ${typed} then ${number(fits.whole)}
    when ${name} like ${`${pattern} %`} then ${number(fits.beginning)}
    when ${name} like ${`% ${pattern} %`} or ${name} like ${`% ${pattern}`} then ${number(fits.words)}
    when ${joined} like ${beginningWith(typed)}
      then ${number(key.includes(" ") ? fits.otherWords : fits.lettersBegun)}
    when ${name} like ${`% ${pattern}%`} then ${number(fits.wordsBegun)}
    else ${number(fits.anyOrder)} end`;
}

const candidates = (key: string, fit: SQL, condition: SQL, leastMembers = 0) => sql`
  (select ${malId}, ${alias}, ${kind}, ${fit} as fit, ${coverageOf(key)} as coverage,
    ${leastMembers}::int as least_members
  from ${titleAliases} where ${condition})`;

/** Names in which each typed word begins a word. */
function namesThatBegin(key: string): SQL {
  const begins = sql`${joined} like ${beginningWith(withoutSpaces(key))}`;
  const everyWord = piecesOf(key).map((piece) => sql`${isInside(name, piece)} and ${beginsAWord(piece)}`);
  return candidates(
    key,
    fitOf(key),
    isShort(key) ? begins : sql`(${begins} or ${sql.join(everyWord, sql` and `)})`,
  );
}

/** Names that contain the typed letters anywhere. */
const namesThatContain = (key: string) =>
  candidates(key, number(fits.inside), isInside(joined, withoutSpaces(key)));

/** The typed words. If every word is too short for the trigram index, they are searched as one text. */
function piecesOf(key: string): string[] {
  const words = key.split(" ");
  return words.some((word) => word.length > maxShortLength) ? words : [key];
}

/** The trigram index supports this condition but not `beginsAWord`, so `beginsAWord` is never used alone. */
const isInside = (text: SQLWrapper, piece: string) => sql`${text} like ${`%${escapeLike(piece)}%`}`;
const beginsAWord = (piece: string) => sql`' ' || ${name} like ${`% ${escapeLike(piece)}%`}`;

const coverageOf = (key: string) => sql`least(1, ${number(withoutSpaces(key).length)} / length(${joined}))`;

const mayBeInitials = /^[^ ]{3,10}$/;
/** Many names share the same three initials, and people type initials only for popular titles. */
const minMembersForInitials = 50_000;

const namesWithInitials = (key: string) =>
  candidates(
    key,
    number(/[aeiou]/.test(key) ? fits.initialsLikeAWord : fits.initials),
    sql`${initials} = ${key}`,
    minMembersForInitials,
  );

/** `fma brotherhood`: one name of the title begins with the first word, and its names together contain the others. */
function severalNames(key: string): SQL {
  const [first = "", ...others] = key.split(" ");
  const begins = sql`(${name} = ${first} or ${name} like ${`${escapeLike(first)} %`})`;
  return sql`
    (select * from ${candidates(key, number(fits.severalNames), begins)} begun
    where (select string_agg(' ' || ${name}, '') from ${titleAliases} where ${malId} = begun.mal_id)
      like all (${textArray(others.map((word) => `% ${escapeLike(word)}%`))}))`;
}

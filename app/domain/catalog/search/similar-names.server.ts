import { type SQL, sql } from "drizzle-orm";
import { withoutSpaces } from "#app/domain/names/names.ts";
import { type Viewer, visibleTo } from "#app/domain/visibility/visibility.server.ts";
import { textArray } from "#db/arrays.ts";
import { db } from "#db/client.server.ts";
import { titleAliases, titles } from "#db/schema/catalog.ts";
import { codesOf, lettersOf } from "./index-key.ts";
import { type Candidate, fitOfSimilar } from "./match-rank.ts";
import { nameSimilarity } from "./name-similarity.ts";

/** Finds names similar to the typed text, for a text that no name contains. */

/**
 * The share of trigrams that remains after one wrong letter. For long names, 0.5 allows several wrong letters, and 0.6
 * does so for very long ones. There, 0.5 would read every name that ends with the same words.
 */
function minTrigramSimilarity(typed: string): number {
  const long = lettersOf(typed).length < minVeryLongLength ? 0.5 : 0.6;
  return minSimilarityByLength[typed.length] ?? long;
}
/** At three letters, a lower value would accept every name with the same beginning. */
const minSimilarityByLength: Record<number, number> = { 3: 0.28, 4: 0.25, 5: 0.33, 6: 0.4, 7: 0.45 };
const minVeryLongLength = 20;
const maxSimilar = 80;
const minNameSimilarity = 0.6;
/** The fit of a name with one wrong letter in four. Such a name is still convincing. */
export const convincingFit = fitOfSimilar(0.75);

type SimilarRow = {
  mal_id: number;
  alias: string;
  kind: Candidate["kind"];
  key: string;
  members: number | null;
};

/**
 * Compares names without spaces first, because that index returns fewer rows. It looks for similar words inside names
 * only when the first step finds no convincing match.
 */
export async function findSimilarNames(key: string, viewer: Viewer): Promise<Candidate[]> {
  const typed = withoutSpaces(key);
  const likely = sql`${similarRows(sql`${titleAliases.joined}`, typed)} union all ${typoRows(typed)}`;
  const candidates = candidatesOf(await readSimilarRows(likely, viewer), key);
  if (candidates.some(({ fit }) => fit >= convincingFit)) return candidates;
  const words = similarRows(sql`${titleAliases.key}`, key);
  return [...candidates, ...candidatesOf(await readSimilarRows(words, viewer), key)];
}

const columns = sql`${titleAliases.malId}, ${titleAliases.alias}, ${titleAliases.kind}, ${titleAliases.key}`;

/** Joins `titles` last. Inside the subquery, the join would read the popularity of the whole catalog. */
const readSimilarRows = (rows: SQL, viewer: Viewer) =>
  db.execute<SimilarRow>(sql`
    select alike.*, ${titles.members} from (${rows}) alike join ${titles} using (mal_id)
    where ${visibleTo(viewer)}`);

/**
 * `%>` compares against a setting. The searched text is built from the setting's value, so PostgreSQL applies the
 * setting before it searches.
 */
const similarRows = (name: SQL, typed: string) => sql`
  (select alike.* from (
      select ${typed} || left(set_config('pg_trgm.word_similarity_threshold', ${minTrigramSimilarity(withoutSpaces(typed))}::text, true), 0)
        as text offset 0
    ) typed, lateral (
      select ${columns} from ${titleAliases} where ${name} %> typed.text
      order by word_similarity(typed.text, ${name}) + similarity(${name}, typed.text) desc limit ${maxSimilar}
    ) alike)`;

/** In longer names, two swapped letters leave enough trigrams for the index to find the name. */
const maxTypoLength = 12;
/** Very many names begin with a shorter text. */
const minTypoLength = 4;
const maxRowsOfTypo = 5;

/** Names that begin with the typed text once two swapped letters or an extra letter are corrected. */
const typoRows = (typed: string) => sql`
  (select found.* from unnest(${textArray(commonTypos(typed))}) as typo (text), lateral (
    select ${columns} from ${titleAliases}
    where ${titleAliases.joined} >= typo.text and ${titleAliases.joined} < typo.text || '~'
    order by ${titleAliases.joined} limit ${maxRowsOfTypo}) found)`;

/** A short name with two swapped letters or one extra letter shares almost no trigrams with the right name. */
function commonTypos(typed: string): string[] {
  const letters = [...lettersOf(typed)];
  if (letters.length > maxTypoLength || letters.length < minTypoLength) return [];
  return letters.flatMap((letter, at) => {
    const before = letters.slice(0, at).join("");
    const after = letters.slice(at + 1);
    const [next = "", ...rest] = after;
    return [codesOf(before + after.join("")), codesOf(before + next + letter + rest.join(""))];
  });
}

const isTooShort = (name: string, typed: string) => name.length < minNameSimilarity * typed.length;

function candidatesOf(rows: readonly SimilarRow[], key: string): Candidate[] {
  const typed = lettersOf(key);
  const joinedTyped = withoutSpaces(typed);
  return rows.flatMap((row) => {
    const name = lettersOf(row.key);
    const joined = withoutSpaces(name);
    // At least the letters that are missing differ. A typed text can be ten times as long as all names that it finds.
    if (isTooShort(joined, joinedTyped) && isTooShort(name, typed)) return [];
    const joinedSimilarity = nameSimilarity(joinedTyped, joined);
    const haveNoSpaces = joinedTyped === typed && joined === name;
    const similarity = haveNoSpaces
      ? joinedSimilarity
      : Math.max(nameSimilarity(typed, name), joinedSimilarity);
    if (similarity < minNameSimilarity) return [];
    const { mal_id: malId, alias, kind, members } = row;
    const coverage = Math.min(1, joinedTyped.length / joined.length);
    return [{ malId, alias, kind, members, coverage, fit: fitOfSimilar(similarity) }];
  });
}

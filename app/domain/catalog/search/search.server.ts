import { cachePerVersion } from "#app/domain/catalog-version/catalog-version.server.ts";
import { withoutSpaces } from "#app/domain/names/names.ts";
import { type Viewer, viewerKey } from "#app/domain/visibility/visibility.server.ts";
import { findBeginning, findScattered, isShort } from "./containing.server.ts";
import { indexKey, lettersOf } from "./index-key.ts";
import { type Candidate, fits, ranked } from "./match-rank.ts";
import { findSimilarNames } from "./similar-names.server.ts";

/**
 * Finds titles by any of their names: first by names that contain the typed text, then, unless those are certain, by
 * similar names. `match-rank.ts` puts both in one order.
 */

type Match = Pick<Candidate, "malId" | "alias" | "fit">;
export type Matches = {
  /** All titles that were found, the best match first. */
  malIds: Int32Array;
  /** The best of them, each with the name that matched. */
  best: Match[];
  /** True if the best name is only similar to the typed text and does not contain it. */
  isGuess: boolean;
};

const cachedMatches = cachePerVersion<Matches>(150);
const noMatches: Matches = { malIds: new Int32Array(), best: [], isGuess: false };
/** A word such as `the` is in thousands of names. Names take most of the cache's memory, so the rest keep only their ids. */
const maxNamed = 2000;

/**
 * Titles hidden from the viewer are excluded before matching. Otherwise a hidden exact match would suppress the search
 * for similar names.
 */
export async function getMatches(query: string, viewer: Viewer): Promise<Matches> {
  const key = indexKey(query);
  const matches = await cachedMatches(`${viewerKey(viewer)} ${key}`, () =>
    key === "" ? Promise.resolve(noMatches) : search(key, viewer),
  );
  const [first] = matches.best;
  return first && indexKey(first.alias) === key
    ? exactNameFirst(matches, query.trim().toLowerCase())
    : matches;
}

/** `Gintama` and `Gintama°` have the same key. The name that equals the typed text exactly comes first. */
function exactNameFirst(matches: Matches, typed: string): Matches {
  const { malIds, best, isGuess } = matches;
  const same = best.find(({ alias }) => alias.toLowerCase() === typed);
  if (!same) return matches;
  return {
    malIds: Int32Array.of(same.malId, ...malIds.filter((malId) => malId !== same.malId)),
    best: [same, ...best.filter((match) => match !== same)],
    isGuess,
  };
}

/**
 * If a name contains a text of at least this length, the text is rarely a typing mistake, so similar names are not
 * searched.
 */
const minDistinctiveLength = 6;
/** If this many names contain the text, similar names are not searched. */
const enoughMatches = 10;

async function search(key: string, viewer: Viewer): Promise<Matches> {
  const beginning = await findBeginning(key, viewer);
  const unbroken = beginning.filter(({ fit }) => fit > fits.severalNames);
  // If the text begins a word of any name, `ranked` would drop names that contain it inside a word.
  const alsoInsideWords = beginning.length === 0;
  const scattered = unbroken.length > 0 ? [] : await findScattered(key, viewer, { alsoInsideWords });
  const containing = [...beginning, ...scattered];
  const isCertain =
    isShort(key) ||
    containing.length >= enoughMatches ||
    scattered.some(({ fit }) => fit === fits.severalNames) ||
    unbroken.some(({ fit }) => fit === fits.whole) ||
    (unbroken.length > 0 && lettersOf(withoutSpaces(key)).length >= minDistinctiveLength);
  const similar = isCertain ? [] : await findSimilarNames(key, viewer);
  const matches = ranked([...containing, ...similar]);
  return {
    malIds: Int32Array.from(matches, ({ malId }) => malId),
    best: matches.slice(0, maxNamed).map(({ malId, alias, fit }) => ({ malId, alias, fit })),
    isGuess: matches[0] !== undefined && similar.includes(matches[0]),
  };
}

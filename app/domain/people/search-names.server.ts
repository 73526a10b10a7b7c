import { and, type SQL, type SQLWrapper, sql } from "drizzle-orm";
import { indexKey, isShort } from "#app/domain/catalog/catalog.server.ts";
import type { TitleNames } from "#app/domain/catalog/catalog.ts";
import { cachePerVersion } from "#app/domain/catalog-version/catalog-version.server.ts";
import { type Viewer, viewerKey } from "#app/domain/visibility/visibility.server.ts";
import { textArray } from "#db/arrays.ts";
import { db } from "#db/client.server.ts";
import { escapeLike } from "#db/like.ts";
import { characters, people } from "#db/schema/details.ts";
import { characterColumns, type NamedOne, personColumns } from "./cast.server.ts";
import {
  bestKnownOf,
  isCharacterShown,
  isPersonShown,
  titlesOfCharacter,
  titlesOfPerson,
} from "./shown-people.server.ts";

/** Finds people and characters by name. Names are compared in the same way as those of titles. */

/** With the best known title in which the viewer sees them. */
type FoundName = NamedOne & { knownFrom: TitleNames };
type FoundNames = { people: FoundName[]; characters: FoundName[] };

const noNames: FoundNames = { people: [], characters: [] };
const maxOfEach = 12;
const foundNames = cachePerVersion<FoundNames>(150);

/** Every typed word must begin a word of the name, in any order. The best known come first. */
export async function searchNames(query: string, viewer: Viewer): Promise<FoundNames> {
  const key = indexKey(query);
  if (isShort(key)) return noNames;
  return foundNames(`${viewerKey(viewer)} ${key}`, async () => {
    const [shownPeople, shownCharacters] = await Promise.all([
      db
        .select({ ...personColumns, knownFrom: bestKnownOf(viewer, titlesOfPerson(people.id)) })
        .from(people)
        .where(and(beginsWords(people.key, key), isPersonShown(viewer)))
        .orderBy(...bestFirst(people.key, people.favorites, key), people.id)
        .limit(maxOfEach),
      db
        .select({ ...characterColumns, knownFrom: bestKnownOf(viewer, titlesOfCharacter(characters.id)) })
        .from(characters)
        .where(and(beginsWords(characters.key, key), isCharacterShown(viewer)))
        .orderBy(...bestFirst(characters.key, characters.favorites, key), characters.id)
        .limit(maxOfEach),
    ]);
    return { people: shownPeople, characters: shownCharacters };
  });
}

/** Both patterns contain trigrams, so PostgreSQL can use the index. */
const beginsWords = (name: SQLWrapper, key: string): SQL | undefined =>
  and(
    ...key
      .split(" ")
      .map(
        (word) => sql`(${name} like ${`${escapeLike(word)}%`} or ${name} like ${`% ${escapeLike(word)}%`})`,
      ),
  );

/** Whole words first: "Sato" before "Satomi". */
const bestFirst = (name: SQLWrapper, favorites: SQLWrapper, key: string): SQL[] => [
  sql`(' ' || ${name} || ' ' like all (${textArray(key.split(" ").map((word) => `% ${escapeLike(word)} %`))})) desc`,
  sql`${favorites} desc nulls last`,
];

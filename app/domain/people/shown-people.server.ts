import { type SQL, type SQLWrapper, sql } from "drizzle-orm";
import type { TitleNames } from "#app/domain/catalog/catalog.ts";
import { type Viewer, visibleTo } from "#app/domain/visibility/visibility.server.ts";
import { db } from "#db/client.server.ts";
import { titles } from "#db/schema/catalog.ts";
import { characters, characterVoices, people, titleCharacters, titleStaff } from "#db/schema/details.ts";

/** A person or a character is visible if the viewer sees at least one of their titles. */

/** The numbers of the titles that the person worked on. `id` is a number or a column. */
export const titlesOfPerson = (id: SQLWrapper | number): SQL => sql`
  select mal_id from ${titleStaff} where person_id = ${id}
  union all select mal_id from ${characterVoices} where person_id = ${id}`;
export const titlesOfCharacter = (id: SQLWrapper | number): SQL => sql`
  select mal_id from ${titleCharacters} where character_id = ${id}`;

/** The condition that the viewer sees one of the titles that the query finds. */
const seesOneOf = (viewer: Viewer, found: SQL): SQL<boolean> =>
  sql`exists (select from (${found}) one join ${titles} using (mal_id) where ${visibleTo(viewer)})`;

/** The names of the best known of these titles that the viewer sees. Somebody who is shown has at least one. */
export const bestKnownOf = (viewer: Viewer, found: SQL): SQL<TitleNames> =>
  sql`(select json_build_object('title', title, 'titleEnglish', title_english, 'titleJapanese', title_japanese)
    from ${titles} where mal_id in (${found}) and ${visibleTo(viewer)}
    order by members desc nulls last, mal_id limit 1)`;

export const isPersonShown = (viewer: Viewer) => seesOneOf(viewer, titlesOfPerson(people.id));
export const isCharacterShown = (viewer: Viewer) => seesOneOf(viewer, titlesOfCharacter(characters.id));

/** The numbers of the found titles that the viewer sees: undated ones first, then from the newest to the oldest. */
export async function listTitlesAmong(found: SQL, viewer: Viewer): Promise<number[]> {
  const year = sql`coalesce(${titles.year}, extract(year from ${titles.airedFrom} at time zone 'UTC'))`;
  const rows = await db.execute<{ mal_id: number }>(sql`
    select ${titles.malId} from ${titles} where ${titles.malId} in (${found}) and ${visibleTo(viewer)}
    order by ${year} desc nulls first, ${titles.airedFrom} desc nulls first, ${titles.malId} desc`);
  return rows.map(({ mal_id }) => mal_id);
}

/** The best known people and characters of the viewer's titles, at most `max` of each. */
export async function listShownPeople(viewer: Viewer, max: number) {
  const [shownPeople, shownCharacters] = await Promise.all([
    db
      .select({ id: people.id, name: people.name })
      .from(people)
      .where(isPersonShown(viewer))
      .orderBy(sql`${people.favorites} desc nulls last`, people.id)
      .limit(max),
    db
      .select({ id: characters.id, name: characters.name })
      .from(characters)
      .where(isCharacterShown(viewer))
      .orderBy(sql`${characters.favorites} desc nulls last`, characters.id)
      .limit(max),
  ]);
  return { people: shownPeople, characters: shownCharacters };
}

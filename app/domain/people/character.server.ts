import { and, eq, inArray } from "drizzle-orm";
import { listTitlesById } from "#app/domain/catalog/catalog.server.ts";
import type { Title } from "#app/domain/catalog/catalog.ts";
import { done, type Outcome, refuse } from "#app/domain/errors.ts";
import type { Viewer } from "#app/domain/visibility/visibility.server.ts";
import { type PageFacts, pageOf } from "#app/platform/numbered-pages.ts";
import { db } from "#db/client.server.ts";
import { characters, characterVoices, people, titleCharacters } from "#db/schema/details.ts";
import {
  characterColumns,
  type NamedOne,
  personColumns,
  type TitleCharacter,
  type Voice,
} from "./cast.server.ts";
import { japaneseFirst } from "./people.ts";
import { listTitlesAmong, titlesOfCharacter } from "./shown-people.server.ts";

export type CharacterPage = NamedOne & {
  favorites: number | null;
  appearances: { title: Title; role: TitleCharacter["role"] }[];
  /** Everybody who speaks the character in titles that the viewer sees, Japanese voices first. */
  voices: Voice[];
} & PageFacts;

/** One page of a character's titles, the newest first. Refuses if the viewer sees none of them. */
export async function getCharacter(
  id: number,
  asked: { page: number; perPage: number },
  viewer: Viewer,
): Promise<Outcome<CharacterPage>> {
  const [[character], ids] = await Promise.all([
    db
      .select({ ...characterColumns, favorites: characters.favorites })
      .from(characters)
      .where(eq(characters.id, id)),
    listTitlesAmong(titlesOfCharacter(id), viewer),
  ]);
  if (!character || ids.length === 0) return refuse("not_found", "This character is not in this catalog");
  const { items: idsOfPage, ...facts } = pageOf(ids, asked);
  const [shownTitles, roles, voices] = await Promise.all([
    listTitlesById(idsOfPage, viewer),
    listRoles(id, idsOfPage),
    listVoices(id, ids),
  ]);
  return done({
    ...character,
    ...facts,
    appearances: shownTitles.flatMap((title) => {
      const role = roles.get(title.malId);
      return role === undefined ? [] : [{ title, role }];
    }),
    voices,
  });
}

async function listRoles(characterId: number, malIds: readonly number[]) {
  const rows = await db
    .select({ malId: titleCharacters.malId, role: titleCharacters.role })
    .from(titleCharacters)
    .where(and(eq(titleCharacters.characterId, characterId), inArray(titleCharacters.malId, [...malIds])));
  return new Map(rows.map(({ malId, role }) => [malId, role]));
}

/** Somebody who speaks the character in several titles is listed once for each language. */
async function listVoices(characterId: number, malIds: readonly number[]): Promise<Voice[]> {
  const rows = await db
    .selectDistinct({ ...personColumns, language: characterVoices.language })
    .from(characterVoices)
    .innerJoin(people, eq(people.id, characterVoices.personId))
    .where(and(eq(characterVoices.characterId, characterId), inArray(characterVoices.malId, [...malIds])))
    .orderBy(characterVoices.language, people.id);
  return japaneseFirst(rows);
}

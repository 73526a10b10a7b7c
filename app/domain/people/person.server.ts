import { and, eq, inArray, sql } from "drizzle-orm";
import { listTitlesById } from "#app/domain/catalog/catalog.server.ts";
import type { Title } from "#app/domain/catalog/catalog.ts";
import { done, type Outcome, refuse } from "#app/domain/errors.ts";
import type { Viewer } from "#app/domain/visibility/visibility.server.ts";
import { type PageFacts, pageOf } from "#app/platform/numbered-pages.ts";
import { db } from "#db/client.server.ts";
import { characters, characterVoices, people, titleCharacters, titleStaff } from "#db/schema/details.ts";
import { characterColumns, type NamedOne, personColumns, type TitleCharacter } from "./cast.server.ts";
import { listTitlesAmong, titlesOfPerson } from "./shown-people.server.ts";

type SpokenCharacter = NamedOne & { role: TitleCharacter["role"]; language: string };

/** A title with what the person did in it. */
export type CreditedTitle = { title: Title; roles: string[]; spoken: SpokenCharacter[] };

export type PersonPage = NamedOne & {
  favorites: number | null;
  credits: CreditedTitle[];
  /** The best known characters that the person speaks in titles that the viewer sees. */
  characters: NamedOne[];
} & PageFacts;

const maxCharacters = 24;

/** One page of a person's titles, the newest first. Refuses if the viewer sees none of them. */
export async function getPerson(
  id: number,
  asked: { page: number; perPage: number },
  viewer: Viewer,
): Promise<Outcome<PersonPage>> {
  const [[person], ids] = await Promise.all([
    db
      .select({ ...personColumns, favorites: people.favorites })
      .from(people)
      .where(eq(people.id, id)),
    listTitlesAmong(titlesOfPerson(id), viewer),
  ]);
  if (!person || ids.length === 0) return refuse("not_found", "This person is not in this catalog");
  const { items: idsOfPage, ...facts } = pageOf(ids, asked);
  const [shownTitles, staff, spoken, known] = await Promise.all([
    listTitlesById(idsOfPage, viewer),
    listRoles(id, idsOfPage),
    listSpoken(id, idsOfPage),
    listSpokenCharacters(id, ids),
  ]);
  const credits = shownTitles.map((title) => ({
    title,
    roles: staff.filter(({ malId }) => malId === title.malId).map(({ role }) => role),
    spoken: spoken.filter(({ malId }) => malId === title.malId).map(({ malId: _, ...one }) => one),
  }));
  return done({ ...person, ...facts, credits, characters: known });
}

const listRoles = (personId: number, malIds: readonly number[]) =>
  db
    .select({ malId: titleStaff.malId, role: titleStaff.role })
    .from(titleStaff)
    .where(and(eq(titleStaff.personId, personId), inArray(titleStaff.malId, [...malIds])))
    .orderBy(titleStaff.position, titleStaff.role);

const listSpoken = (personId: number, malIds: readonly number[]) =>
  db
    .select({
      ...characterColumns,
      malId: characterVoices.malId,
      language: characterVoices.language,
      role: titleCharacters.role,
    })
    .from(characterVoices)
    .innerJoin(
      titleCharacters,
      and(
        eq(titleCharacters.malId, characterVoices.malId),
        eq(titleCharacters.characterId, characterVoices.characterId),
      ),
    )
    .innerJoin(characters, eq(characters.id, characterVoices.characterId))
    .where(and(eq(characterVoices.personId, personId), inArray(characterVoices.malId, [...malIds])))
    .orderBy(titleCharacters.position, characters.id);

const listSpokenCharacters = (personId: number, malIds: readonly number[]) =>
  db
    .select(characterColumns)
    .from(characters)
    .where(
      inArray(
        characters.id,
        db
          .select({ id: characterVoices.characterId })
          .from(characterVoices)
          .where(and(eq(characterVoices.personId, personId), inArray(characterVoices.malId, [...malIds]))),
      ),
    )
    .orderBy(sql`${characters.favorites} desc nulls last`, characters.id)
    .limit(maxCharacters);

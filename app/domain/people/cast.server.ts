import { eq } from "drizzle-orm";
import { getVisibleTitle } from "#app/domain/catalog/catalog.server.ts";
import { cachePerVersion } from "#app/domain/catalog-version/catalog-version.server.ts";
import { done, type Outcome, refuse } from "#app/domain/errors.ts";
import type { Viewer } from "#app/domain/visibility/visibility.server.ts";
import { valuesByKey } from "#app/platform/lists.ts";
import { db } from "#db/client.server.ts";
import { characters, characterVoices, people, titleCharacters, titleStaff } from "#db/schema/details.ts";
import type { CharacterRole } from "#db/schema/enumerations.ts";

/** The characters of a title with their voices, and its staff. They are visible where the title is. */

/** A person or a character. */
export type NamedOne = {
  id: number;
  name: string;
  /** The name in its own script. */
  nameNative: string | null;
  /** The stored picture. */
  pictureCid: string | null;
};

export const personColumns = {
  id: people.id,
  name: people.name,
  nameNative: people.nameNative,
  pictureCid: people.pictureCid,
};
export const characterColumns = {
  id: characters.id,
  name: characters.name,
  nameNative: characters.nameNative,
  pictureCid: characters.pictureCid,
};

export type Voice = NamedOne & { language: string };
export type TitleCharacter = NamedOne & { role: CharacterRole; voices: Voice[] };
type StaffMember = NamedOne & { roles: string[] };
export type Cast = { characters: TitleCharacter[]; staff: StaffMember[] };

const casts = cachePerVersion<Cast>(150);

/** The caller must know that the viewer sees the title. */
export const castOf = (malId: number): Promise<Cast> => casts(String(malId), () => readCast(malId));

/** Refuses if the viewer cannot see the title, or if the catalog knows none of its people. */
export async function getCast(malId: number, viewer: Viewer): Promise<Outcome<Cast>> {
  const title = await getVisibleTitle(malId, viewer);
  if (!title.ok) return title;
  const cast = await castOf(malId);
  return cast.characters.length + cast.staff.length > 0
    ? done(cast)
    : refuse("not_found", "The people of this title are not in this catalog");
}

async function readCast(malId: number): Promise<Cast> {
  const [rows, voices, staff] = await Promise.all([
    db
      .select({ ...characterColumns, role: titleCharacters.role })
      .from(titleCharacters)
      .innerJoin(characters, eq(characters.id, titleCharacters.characterId))
      .where(eq(titleCharacters.malId, malId))
      .orderBy(titleCharacters.position, characters.id),
    db
      .select({
        ...personColumns,
        characterId: characterVoices.characterId,
        language: characterVoices.language,
      })
      .from(characterVoices)
      .innerJoin(people, eq(people.id, characterVoices.personId))
      .where(eq(characterVoices.malId, malId))
      .orderBy(characterVoices.position, people.id),
    db
      .select({ ...personColumns, role: titleStaff.role })
      .from(titleStaff)
      .innerJoin(people, eq(people.id, titleStaff.personId))
      .where(eq(titleStaff.malId, malId))
      .orderBy(titleStaff.position, people.id),
  ]);
  const voicesOf = valuesByKey(voices.map(({ characterId, ...voice }) => [characterId, voice]));
  return {
    characters: rows.map((character) => ({ ...character, voices: voicesOf.get(character.id) ?? [] })),
    staff: joinedRoles(staff),
  };
}

/** Lists somebody with several roles once, at the position of the first role. */
function joinedRoles(rows: readonly (NamedOne & { role: string })[]): StaffMember[] {
  const members = new Map<number, StaffMember>();
  for (const { role, ...person } of rows) {
    const known = members.get(person.id);
    if (known) known.roles.push(role);
    else members.set(person.id, { ...person, roles: [role] });
  }
  return [...members.values()];
}

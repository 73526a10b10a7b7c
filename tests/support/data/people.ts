import { indexKey } from "#app/domain/catalog/catalog.server.ts";
import { changeCatalog } from "#app/domain/catalog-version/catalog-version.server.ts";
import { characters, characterVoices, people, titleCharacters, titleStaff } from "#db/schema/details.ts";

type Rows = { malId: number; personId: number; characterId: number; role?: string };

/** Stores a person who directs a title and speaks its main character. Both are named by their numbers. */
export const addPeople = ({ malId, personId, characterId, role = "Director" }: Rows) =>
  changeCatalog([malId], async (transaction) => {
    const named = (id: number, kind: string) => {
      const name = `${kind} ${id}`;
      return {
        id,
        name,
        source: "anilist" as const,
        sourceId: String(id),
        key: indexKey(name),
        favorites: id,
      };
    };
    const language = "Japanese";
    await transaction.insert(people).values(named(personId, "Person")).onConflictDoNothing();
    await transaction.insert(characters).values(named(characterId, "Character")).onConflictDoNothing();
    await transaction.insert(titleCharacters).values({ malId, characterId, role: "main", position: 0 });
    await transaction.insert(characterVoices).values({ malId, characterId, personId, language, position: 0 });
    await transaction.insert(titleStaff).values({ malId, personId, role, position: 0 });
  });

import { findStudiosNamed } from "#app/domain/catalog/catalog.server.ts";
import { displayTitle } from "#app/domain/catalog/catalog.ts";
import { searchNames } from "#app/domain/people/people.server.ts";
import type { Viewer } from "#app/domain/visibility/visibility.server.ts";
import type { TitleLanguage } from "#app/domain/visitor/visitor.ts";
import { browsePath } from "#app/paths.ts";
import { countText } from "#app/platform/count-text.ts";
import { toCharacterPortrait, toPersonPortrait } from "#app/routes/views/people-views.server.ts";
import type { Portrait } from "#app/ui/people/portrait.tsx";
import { emptyBrowseQuery, formatBrowseQuery } from "#app/wire/browse-query.server.ts";

/** Studios, people and characters whose names match a search, as groups after the titles. */

type NameGroup = {
  id: "studios" | "people" | "characters";
  heading: { title: string; one: string; several: string };
  names: Portrait[];
};

/** Empty groups are left out. */
export async function findNameGroups(
  query: string,
  viewer: Viewer,
  language: TitleLanguage,
): Promise<NameGroup[]> {
  const [studios, { people, characters }] = await Promise.all([
    findStudiosNamed(query, viewer),
    searchNames(query, viewer),
  ]);
  const groups: NameGroup[] = [
    {
      id: "studios",
      heading: { title: "Studios", one: "studio", several: "studios" },
      names: studios.map(({ name, titles }) => ({
        name,
        path: browsePath(formatBrowseQuery({ ...emptyBrowseQuery, studio: name })),
        picture: null,
        note: countText(titles, "title"),
      })),
    },
    {
      id: "people",
      heading: { title: "People", one: "person", several: "people" },
      names: people.map((person) =>
        toPersonPortrait(person, language, displayTitle(person.knownFrom, language)),
      ),
    },
    {
      id: "characters",
      heading: { title: "Characters", one: "character", several: "characters" },
      names: characters.map((character) =>
        toCharacterPortrait(character, language, displayTitle(character.knownFrom, language)),
      ),
    },
  ];
  return groups.filter(({ names }) => names.length > 0);
}

const maxSuggestedOfGroup = 2;

/** The best of each group, for the list under the search field. */
export async function suggestNames(query: string, viewer: Viewer, language: TitleLanguage) {
  const groups = await findNameGroups(query, viewer, language);
  return groups.flatMap(({ heading, names }) =>
    names.slice(0, maxSuggestedOfGroup).map(({ path, name, lang, note }) => ({
      name,
      ...(lang && { lang }),
      note: [heading.one, note].filter((part) => part !== "").join(" · "),
      to: path,
    })),
  );
}

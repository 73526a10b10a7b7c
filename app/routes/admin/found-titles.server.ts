import { listTitles, listTitlesById } from "#app/domain/catalog/catalog.server.ts";
import { displayTitle, maxMalId } from "#app/domain/catalog/catalog.ts";
import { catalogKeeper } from "#app/domain/visibility/visibility.server.ts";
import type { TitleLanguage } from "#app/domain/visitor/visitor.ts";

const maxFound = 12;

/**
 * Finds titles by id or name, named in the operator's title language, with the facts that tell titles of the same name
 * apart.
 */
export async function findTitles(text: string, language: TitleLanguage) {
  const query = text.trim();
  if (query === "") return [];
  const isId = /^\d{1,10}$/.test(query) && Number(query) <= maxMalId;
  const [withId, named] = await Promise.all([
    isId ? listTitlesById([Number(query)], catalogKeeper) : [],
    listTitles({ filters: { search: query }, perPage: maxFound }, catalogKeeper),
  ]);
  // For a number, a title counts only if that number is its whole name. "86" is one, but many names contain a 2.
  const alike = isId ? named.titles.filter((title) => isNamed(title, query)) : named.titles;
  const matches = [...withId, ...alike.filter(({ malId }) => malId !== withId[0]?.malId)];
  return matches.map((title) => {
    const { malId, titleEnglish, type, year } = title;
    const name = displayTitle(title, language);
    const otherNames = [...new Set([title.title, titleEnglish])].filter((other) => other !== name);
    return {
      malId,
      title: name,
      isExact: String(malId) === query || isNamed(title, query),
      note: [...otherNames, type, year].filter((part) => part !== null).join(" · "),
    };
  });
}

const isNamed = ({ title, titleEnglish }: { title: string; titleEnglish: string | null }, asked: string) =>
  [title, titleEnglish].some((name) => name?.toLowerCase() === asked.toLowerCase());

export type FoundTitle = Awaited<ReturnType<typeof findTitles>>[number];

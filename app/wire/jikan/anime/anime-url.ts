import { firstOwnMalId, type Title } from "#app/domain/catalog/catalog.ts";
import { titlePath } from "#app/paths.ts";

/** The title's page on MyAnimeList, as clients expect it. Titles with our own numbers link to this site. */
export const animeUrl = ({ malId, title, url }: Pick<Title, "malId" | "title" | "url">, origin: string) =>
  url ??
  (malId < firstOwnMalId ? `https://myanimelist.net/anime/${malId}` : `${origin}${titlePath(malId, title)}`);

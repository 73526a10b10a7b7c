import type { Title } from "#app/domain/catalog/catalog.ts";
import { titlePath } from "#app/paths.ts";

/** MyAnimeList gives no number as high as these, so a title with one has no page there. */
const firstOwnId = 900_000_000;

/** The title's page on MyAnimeList, as clients expect. */
export const animeUrl = ({ malId, title, url }: Pick<Title, "malId" | "title" | "url">, origin: string) =>
  url ??
  (malId < firstOwnId ? `https://myanimelist.net/anime/${malId}` : `${origin}${titlePath(malId, title)}`);

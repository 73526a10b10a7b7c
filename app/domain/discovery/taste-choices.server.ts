import { listTitlePageById, listTitles } from "#app/domain/catalog/catalog.server.ts";
import type { Title } from "#app/domain/catalog/catalog.ts";
import { firstOfEachFranchise } from "#app/domain/franchises/franchises.server.ts";
import type { Profile } from "#app/domain/profile/profile.server.ts";
import { favoritesPerPage } from "#app/domain/profile/profile.ts";
import { listGenresFor, type Viewer } from "#app/domain/visibility/visibility.server.ts";

/** The choices in the form of a member's tastes. */

const maxPicks = 30;
const maxFound = 20;
/** The most popular titles are often seasons of a few series, so more are read than are shown. */
const maxRead = 100;

/** The most popular titles, one of each franchise, without the listed ones. */
async function listPopular(viewer: Viewer, listed: readonly number[]): Promise<Title[]> {
  const { titles } = await listTitles({ order: "popularity", perPage: maxRead }, viewer);
  const firsts = new Set(await firstOfEachFranchise(titles.map(({ malId }) => malId)));
  for (const malId of listed) firsts.delete(malId);
  return titles.filter(({ malId }) => firsts.has(malId)).slice(0, maxPicks);
}

type TitleSearch = {
  search: string;
  /** The page of the favorites. */
  page?: number;
  withPopular: boolean;
  /** The titles on the member's list. */
  listed?: readonly number[];
};

/** Lists the search results, then one page of the titles that the member picked before, then popular ones. */
export async function listTitlePicks(
  viewer: Viewer,
  { favoriteAnimes }: Profile,
  { search, page: askedPage = 1, withPopular, listed = [] }: TitleSearch,
) {
  const [favorites, popular, found] = await Promise.all([
    listTitlePageById(favoriteAnimes, { page: askedPage, perPage: favoritesPerPage }, viewer),
    withPopular ? listPopular(viewer, listed) : [],
    search === "" ? [] : listFound(viewer, search),
  ]);
  const shown = new Map([...found, ...favorites.titles, ...popular].map((title) => [title.malId, title]));
  const picks = [...shown.values()];
  const favoriteIds = new Set(favoriteAnimes);
  return {
    search,
    found: picks.slice(0, found.length),
    picks: picks.slice(found.length),
    chosen: [...shown.keys()].filter((malId) => favoriteIds.has(malId)),
    page: favorites.page,
    lastPage: favorites.lastPage,
  };
}

async function listFound(viewer: Viewer, search: string) {
  const { titles } = await listTitles({ filters: { search }, order: "relevance", perPage: maxFound }, viewer);
  return titles;
}

export const listTasteChoices = (viewer: Viewer, profile: Profile) => ({
  genres: [...listGenresFor(viewer)],
  favoriteGenres: profile.favoriteGenres,
  favoriteStudios: profile.favoriteStudios,
});

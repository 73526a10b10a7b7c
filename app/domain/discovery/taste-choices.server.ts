import type { Profile } from "#app/domain/accounts/accounts.server.ts";
import { fanaticLevels, preferredFormats, watchFrequencies } from "#app/domain/accounts/accounts.ts";
import {
  listGenresFor,
  listTitles,
  listTitlesById,
  type Viewer,
} from "#app/domain/catalog/catalog.server.ts";

/** The choices of the taste form. Titles that the member picked before come first, then the most popular ones. */

const maxPicks = 30;

export async function listTasteChoices(viewer: Viewer, profile: Profile) {
  const [favorites, popular] = await Promise.all([
    listTitlesById(profile.favoriteAnimes, viewer),
    listTitles({ order: "popularity", perPage: maxPicks }, viewer),
  ]);
  const shown = new Map([...favorites, ...popular.titles].map((title) => [title.malId, title]));
  return {
    tastes: {
      favoriteAnimes: profile.favoriteAnimes,
      favoriteGenres: profile.favoriteGenres,
      favoriteStudios: profile.favoriteStudios,
      frequencyOfWatch: profile.frequencyOfWatch,
      fanaticLevel: profile.fanaticLevel,
      preferredFormat: profile.preferredFormat,
    },
    picks: [...shown.values()].map(({ malId, title, titleEnglish, titleJapanese }) => ({
      malId,
      names: { title, titleEnglish, titleJapanese },
    })),
    genres: [...listGenresFor(viewer)],
    frequencies: watchFrequencies,
    levels: fanaticLevels,
    formats: preferredFormats,
  };
}

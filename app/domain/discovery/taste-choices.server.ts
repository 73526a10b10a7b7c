import type { Profile } from "#app/domain/accounts/accounts.server.ts";
import {
  canSeeMatureTitles,
  fanaticLevels,
  preferredFormats,
  type SessionUser,
  watchFrequencies,
} from "#app/domain/accounts/accounts.ts";
import { listTitles, listTitlesById } from "#app/domain/catalog/catalog.server.ts";
import { genres, matureGenres } from "#app/domain/catalog/catalog.ts";

/** The choices of the taste form. Titles that the member picked before come first, then the most popular ones. */

const maxPicks = 30;

export async function listTasteChoices(user: SessionUser, profile: Profile) {
  const showsMature = canSeeMatureTitles(user);
  const [favorites, popular] = await Promise.all([
    listTitlesById(profile.favoriteAnimes, showsMature),
    listTitles({ order: "popularity", perPage: maxPicks }, showsMature),
  ]);
  const shown = new Map([...favorites, ...popular.titles].map((title) => [title.malId, title]));
  const hidden: readonly string[] = showsMature ? [] : matureGenres;
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
    genres: genres.filter((genre) => !hidden.includes(genre)),
    frequencies: watchFrequencies,
    levels: fanaticLevels,
    formats: preferredFormats,
  };
}

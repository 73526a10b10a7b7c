import type { Profile } from "../domain/accounts/accounts.server.ts";
import {
  fanaticLevels,
  mayShowMature,
  preferredFormats,
  type SessionUser,
  watchFrequencies,
} from "../domain/accounts/accounts.ts";
import { listTitles, listTitlesById } from "../domain/catalog/catalog.server.ts";
import { genres, matureGenres } from "../domain/catalog/catalog.ts";

/** What somebody may pick as their taste: the best known titles, with what they picked before in front. */

const picksShown = 30;

export async function tasteChoices(user: SessionUser, profile: Profile) {
  const showsMature = mayShowMature(user);
  const [own, popular] = await Promise.all([
    listTitlesById(profile.favoriteAnimes, showsMature),
    listTitles({ order: "popularity", perPage: picksShown }, showsMature),
  ]);
  const shown = new Map([...own, ...popular.animes].map((anime) => [anime.mal_id, anime]));
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
    picks: [...shown.values()].map(({ mal_id, title, title_english, title_japanese }) => ({
      malId: mal_id,
      names: { title, title_english, title_japanese },
    })),
    genres: genres.filter((genre) => !hidden.includes(genre)),
    frequencies: watchFrequencies,
    levels: fanaticLevels,
    formats: preferredFormats,
  };
}

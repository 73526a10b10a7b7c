import { editProfile } from "#app/domain/accounts/accounts.server.ts";
import { maxFavoriteStudios, maxFavoriteTitles } from "#app/domain/accounts/accounts.ts";
import { done } from "#app/domain/errors.ts";
import type { FileProfile } from "./account-file.ts";

/** Appends the titles, studios and genres of a file to the profile's own, and returns how many did not fit. */
export async function importTastes(
  userId: string,
  imported: FileProfile,
): Promise<{ field: string; why: string }[]> {
  const skipped: { field: string; why: string }[] = [];
  const join = <Value>(field: string, own: readonly Value[], more: readonly Value[], max: number) => {
    const all = [...new Set([...own, ...more])];
    // A list that already exceeds the limit stays as it is.
    const most = Math.max(max, own.length);
    if (all.length > most) skipped.push({ field, why: leftOutText(all.length - most, max) });
    return all.slice(0, most);
  };
  const { favoriteAnimes, watchedAnimes, favoriteStudios, favoriteGenres } = imported;
  const saved = await editProfile(userId, (own) =>
    done({
      favoriteAnimes: join("favorite_animes", own.favoriteAnimes, favoriteAnimes, maxFavoriteTitles),
      watchedAnimes: join("watched_animes", own.watchedAnimes, watchedAnimes, maxFavoriteTitles),
      favoriteStudios: join("favorite_studios", own.favoriteStudios, favoriteStudios, maxFavoriteStudios),
      favoriteGenres: join("favorite_genres", own.favoriteGenres, favoriteGenres, Infinity),
    }),
  );
  return saved.ok ? skipped : [{ field: "favorite_animes", why: "could not be saved" }];
}

const leftOutText = (left: number, max: number) =>
  `${left.toLocaleString("en")} of them did not fit: a profile has at most ${max.toLocaleString("en")}`;

import { z } from "zod";
import type { Profile } from "../domain/accounts/accounts.server.ts";
import { fanaticLevels, genders, preferredFormats, watchFrequencies } from "../domain/accounts/accounts.ts";
import { absoluteUrl } from "./absolute-url.server.ts";
import type { Context } from "./context.server.ts";

/** A profile as it is sent (specification, 2.1). */

const ids = z.array(z.int());
const words = z.array(z.string());

export const profileRecord = z.object({
  id: z.string(),
  email: z.string(),
  user_name: z.string(),
  name: z.string(),
  last_name: z.string().nullable(),
  avatar_url: z.string().nullable(),
  banner_image: z.string().nullable(),
  birthday: z.string().nullable(),
  gender: z.enum(genders).nullable(),
  favorite_animes: ids,
  frequency_of_watch: z.enum(watchFrequencies).nullable(),
  fanatic_level: z.enum(fanaticLevels).nullable(),
  preferred_format: z.enum(preferredFormats).nullable(),
  watched_animes: ids,
  favorite_studios: words,
  favorite_genres: words,
  created_at: z.string(),
  updated_at: z.string(),
});

export const profileOnWire = (profile: Profile, context: Context): z.input<typeof profileRecord> => ({
  id: profile.id,
  email: profile.email,
  user_name: profile.username,
  name: profile.name,
  last_name: profile.lastName,
  avatar_url: absoluteUrl(context, profile.avatarUrl),
  banner_image: absoluteUrl(context, profile.bannerImage),
  birthday: profile.birthday,
  gender: profile.gender,
  favorite_animes: profile.favoriteAnimes,
  frequency_of_watch: profile.frequencyOfWatch,
  fanatic_level: profile.fanaticLevel,
  preferred_format: profile.preferredFormat,
  watched_animes: profile.watchedAnimes,
  favorite_studios: profile.favoriteStudios,
  favorite_genres: profile.favoriteGenres,
  created_at: profile.createdAt.toISOString(),
  updated_at: profile.updatedAt.toISOString(),
});

import { z } from "zod";
import type { Profile, ProfileChange } from "#app/domain/accounts/accounts.server.ts";
import {
  fanaticLevels,
  genders,
  maxFavoriteStudios,
  maxFavoriteTitles,
  maxStudioLength,
  preferredFormats,
  watchFrequencies,
} from "#app/domain/accounts/accounts.ts";
import { genres, maxMalId } from "#app/domain/catalog/catalog.ts";
import type { Context } from "#app/http/context.server.ts";
import { absoluteUrl } from "#app/http/endpoint/absolute-url.server.ts";
import { snakeCaseCopier } from "#app/platform/snake-case.ts";
import {
  dateInput,
  firstAliasIn,
  idInput,
  inputAliases,
  withAliases,
  wordInput,
} from "./input-aliases.server.ts";
import { requirePictureUrl } from "./picture-url.server.ts";

/** A profile on the wire (specification, section 2.1). */

const ids = z.array(z.int());
const words = z.array(z.string());

export const profileRecord = z
  .object({
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
  })
  .meta({ id: "Profile" });

const copyFields = snakeCaseCopier(Object.keys(profileRecord.shape) as (keyof typeof profileRecord.shape)[]);

export const profileOnWire = (profile: Profile, context: Context): z.input<typeof profileRecord> => ({
  ...copyFields({ ...profile, userName: profile.username }),
  avatar_url: absoluteUrl(context, profile.avatarUrl),
  banner_image: absoluteUrl(context, profile.bannerImage),
  created_at: profile.createdAt.toISOString(),
  updated_at: profile.updatedAt.toISOString(),
});

/** `null` clears a list, like every other field. */
const list = <Item extends z.ZodType>(item: Item, maxLength: number) =>
  z.array(item).max(maxLength).nullable().optional();
const animes = list(idInput.pipe(z.int().max(maxMalId)), maxFavoriteTitles);

/** The fields of a profile that a member may send (specification, section 4.7). */
export const profileChange = z.object({
  name: z.string(),
  last_name: z.string(),
  gender: wordInput(genders),
  birthday: dateInput.nullable().optional(),
  ...withAliases(inputAliases.avatar, z.string().nullable()),
  favorite_animes: animes,
  watched_animes: animes,
  favorite_genres: list(wordInput(genres), 100),
  favorite_studios: list(z.string().trim().min(1).max(maxStudioLength), maxFavoriteStudios),
  ...withAliases(inputAliases.frequency, wordInput(watchFrequencies).nullable()),
  fanatic_level: wordInput(fanaticLevels).nullable().optional(),
  preferred_format: wordInput(preferredFormats).nullable().optional(),
});
/** Without required fields, for endpoints that save only a part of the profile. */
export const partialProfileChange = profileChange.partial();
type SentFields = z.output<typeof partialProfileChange>;

const emptyIfNull = <Item>(items: Item[] | null | undefined) => (items === null ? [] : items);

export function toProfileChange(body: SentFields, context: Context): ProfileChange {
  const avatar = firstAliasIn(inputAliases.avatar, body);
  return {
    name: body.name,
    lastName: body.last_name,
    gender: body.gender,
    birthday: body.birthday,
    avatarUrl: avatar == null ? avatar : requirePictureUrl(avatar, "avatar", context),
    favoriteAnimes: emptyIfNull(body.favorite_animes),
    watchedAnimes: emptyIfNull(body.watched_animes),
    favoriteGenres: emptyIfNull(body.favorite_genres),
    favoriteStudios: emptyIfNull(body.favorite_studios),
    frequencyOfWatch: firstAliasIn(inputAliases.frequency, body),
    fanaticLevel: body.fanatic_level,
    preferredFormat: body.preferred_format,
  };
}

export const sentProfile = z.object({
  ...profileRecord.omit({ id: true, email: true, updated_at: true }).partial().shape,
  avatar: z.string().nullable().optional(),
  frequency: profileRecord.shape.frequency_of_watch.optional(),
});

/** The stored values of the fields that were sent. */
export function sentProfileOnWire(
  body: SentFields,
  profile: Profile,
  context: Context,
): z.input<typeof sentProfile> {
  const record = profileOnWire(profile, context);
  const { avatar_url, frequency_of_watch } = record;
  const isSent = (name: string) => name in profileChange.shape && name in body;
  return {
    ...Object.fromEntries(Object.entries(record).filter(([name]) => isSent(name))),
    ...(firstAliasIn(inputAliases.avatar, body) !== undefined && { avatar: avatar_url, avatar_url }),
    ...(firstAliasIn(inputAliases.frequency, body) !== undefined && {
      frequency: frequency_of_watch,
      frequency_of_watch,
    }),
  };
}

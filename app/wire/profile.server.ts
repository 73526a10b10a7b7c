import { z } from "zod";
import { genres, maxMalId } from "#app/domain/catalog/catalog.ts";
import { pickFields } from "#app/domain/declared-fields.ts";
import type { Profile, ProfileChange } from "#app/domain/profile/profile.server.ts";
import {
  genders,
  type MemberFields,
  mapMemberFields,
  maxFavoriteStudios,
  maxFavoriteTitles,
  maxStudioLength,
} from "#app/domain/profile/profile.ts";
import type { Context } from "#app/http/context.server.ts";
import { absoluteUrl } from "#app/http/endpoint/absolute-url.server.ts";
import { snakeCaseCopier, toCamelCase, toSnakeCase } from "#app/platform/snake-case.ts";
import {
  dateInput,
  firstAliasIn,
  idInput,
  inputAliases,
  withAliases,
  wordInput,
} from "./input-aliases.server.ts";
import { requirePictureUrl } from "./picture-url.server.ts";

/** A profile on the wire (specification, section 2.1), made from the declarations of its fields in the domain. */

/** All lists except the favorites come last, where clients of the specification expect them. */
const { watchedAnimes, favoriteStudios, favoriteGenres, ...answers } = mapMemberFields({
  name: () => z.string(),
  lastName: () => z.string().nullable(),
  picture: () => z.string().nullable(),
  birthday: () => z.string().nullable(),
  word: ({ words }) => z.enum(words).nullable(),
  titles: () => z.array(z.int()),
  studios: () => z.array(z.string()),
  genres: () => z.array(z.string()),
});

export const profileObject = z
  .object({
    id: z.string(),
    email: z.string(),
    user_name: z.string(),
    ...toSnakeCase({ ...answers, watchedAnimes, favoriteStudios, favoriteGenres }),
    created_at: z.string(),
    updated_at: z.string(),
  })
  .meta({ id: "Profile" });

const copyFields = snakeCaseCopier(Object.keys(profileObject.shape) as (keyof typeof profileObject.shape)[]);

export const profileOnWire = (profile: Profile, context: Context): z.input<typeof profileObject> => ({
  ...copyFields({ ...profile, userName: profile.username }),
  avatar_url: absoluteUrl(context, profile.avatarUrl),
  banner_image: absoluteUrl(context, profile.bannerImage),
  created_at: profile.createdAt.toISOString(),
  updated_at: profile.updatedAt.toISOString(),
});

/** `null` clears a list, like every other field. */
const list = <Item extends z.ZodType>(item: Item, maxLength: number) =>
  z
    .array(item)
    .max(maxLength)
    .nullable()
    .transform((items) => items ?? []);

/** The table of kinds has one type for all word fields. This type has each field's own words. */
type ProfileInputs = { [Name in keyof MemberFields]: z.ZodType<MemberFields[Name]> };

const {
  name,
  lastName,
  avatarUrl,
  bannerImage: _bannerImage,
  gender: _gender,
  frequencyOfWatch,
  ...inputs
} = mapMemberFields({
  name: () => z.string(),
  lastName: () => z.string(),
  picture: () => z.string().nullable(),
  birthday: () => dateInput.nullable(),
  word: ({ words }) => wordInput(words).nullable(),
  titles: () => list(idInput.pipe(z.int().max(maxMalId)), maxFavoriteTitles),
  studios: () => list(z.string().trim().min(1).max(maxStudioLength), maxFavoriteStudios),
  genres: () => list(wordInput(genres), 100),
}) as ProfileInputs;
const {
  birthday,
  favorite_animes,
  watched_animes,
  favorite_genres,
  favorite_studios,
  ...answersToQuestions
} = z.object(toSnakeCase(inputs)).partial().shape;

/** The fields of a profile that a member may send (specification, section 4.7). */
export const profileChange = z.object({
  name,
  last_name: lastName,
  gender: wordInput(genders),
  birthday,
  ...withAliases(inputAliases.avatar, avatarUrl),
  favorite_animes,
  watched_animes,
  favorite_genres,
  favorite_studios,
  ...withAliases(inputAliases.frequency, frequencyOfWatch),
  ...answersToQuestions,
});
/** Without required fields, for endpoints that save only a part of the profile. */
export const partialProfileChange = profileChange.partial();
type SentFields = z.output<typeof partialProfileChange>;

const inputNames = Object.keys(profileChange.shape) as (keyof typeof profileChange.shape)[];

export function toProfileChange(body: SentFields, context: Context): ProfileChange {
  const avatar = firstAliasIn(inputAliases.avatar, body);
  const {
    avatar: _avatar,
    avatar_url: _avatarUrl,
    frequency: _frequency,
    frequency_of_watch: _frequencyOfWatch,
    ...fields
  } = pickFields(body, inputNames);
  return {
    ...toCamelCase(fields),
    avatarUrl: avatar == null ? avatar : requirePictureUrl(avatar, "avatar", context),
    frequencyOfWatch: firstAliasIn(inputAliases.frequency, body),
  };
}

export const sentProfile = z.object({
  ...profileObject.omit({ id: true, email: true, updated_at: true }).partial().shape,
  avatar: z.string().nullable().optional(),
  frequency: profileObject.shape.frequency_of_watch.optional(),
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

import { z } from "zod";
import {
  dateInput,
  firstAliasIn,
  idInput,
  inputAliases,
  withAliases,
  wordInput,
} from "#app/api/input-aliases.server.ts";
import { requirePictureUrl } from "#app/api/picture-url.server.ts";
import { preferencesObject, preferencesOnWire } from "#app/api/preferences.ts";
import { profileOnWire, profileRecord } from "#app/api/profile.server.ts";
import {
  getProfile,
  type Profile,
  type ProfileChange,
  updateProfile,
} from "#app/domain/accounts/accounts.server.ts";
import {
  fanaticLevels,
  genders,
  maxFavoriteStudios,
  maxStudioLength,
  preferredFormats,
  watchFrequencies,
} from "#app/domain/accounts/accounts.ts";
import { genres, maxMalId } from "#app/domain/catalog/catalog.ts";
import { getCurrentUser, memberOrToken } from "#app/http/access/guard.server.ts";
import { sameOrigin } from "#app/http/access/same-origin.server.ts";
import type { Context } from "#app/http/context.server.ts";
import { operation, serve, succeed, success } from "#app/http/endpoint/operation.server.ts";

export const middleware = [sameOrigin, memberOrToken];

const read = operation("GET", {
  tag: "Profile",
  summary: "The whole profile, with preferences",
  answer: success(profileRecord.extend({ preferences: preferencesObject }).meta({ id: "FullProfile" })),
  handle: async ({ context }) => {
    const user = getCurrentUser(context);
    const profile = await getProfile(user.id);
    if (!profile.ok) return profile;
    const preferences = preferencesOnWire(user.preferences);
    return succeed({ ...profileOnWire(profile.value, context), preferences });
  },
});

const animes = z
  .array(idInput.pipe(z.int().max(maxMalId)))
  .max(10_000)
  .optional();

const change = z.object({
  name: z.string(),
  last_name: z.string(),
  gender: wordInput(genders),
  birthday: dateInput.nullable().optional(),
  ...withAliases(inputAliases.avatar, z.string().nullable()),
  favorite_animes: animes,
  watched_animes: animes,
  favorite_genres: z.array(wordInput(genres)).max(100).optional(),
  favorite_studios: z.array(z.string().trim().min(1).max(maxStudioLength)).max(maxFavoriteStudios).optional(),
  ...withAliases(inputAliases.frequency, wordInput(watchFrequencies).nullable()),
  fanatic_level: wordInput(fanaticLevels).nullable().optional(),
  preferred_format: wordInput(preferredFormats).nullable().optional(),
});
type Change = z.output<typeof change>;

const echo = z
  .object({
    ...profileRecord.pick({ id: true, email: true, updated_at: true }).shape,
    ...profileRecord.omit({ id: true, email: true, updated_at: true }).partial().shape,
    avatar: z.string().nullable().optional(),
    frequency: profileRecord.shape.frequency_of_watch.optional(),
  })
  .meta({ id: "SavedProfile" });

const save = operation("POST", {
  tag: "Profile",
  summary: "Save the profile",
  description: "Tastes that are not sent keep their value. Answers the fields that were sent, as stored.",
  body: change,
  answer: success(echo),
  handle: async ({ body, context }) => {
    const outcome = await updateProfile(getCurrentUser(context).id, toProfileChange(body, context));
    return outcome.ok ? succeed(echoOf(body, outcome.value, context)) : outcome;
  },
});

function toProfileChange(body: Change, context: Context): ProfileChange {
  const avatar = firstAliasIn(inputAliases.avatar, body);
  return {
    name: body.name,
    lastName: body.last_name,
    gender: body.gender,
    birthday: body.birthday,
    avatarUrl: avatar == null ? avatar : requirePictureUrl(avatar, "avatar", context),
    favoriteAnimes: body.favorite_animes,
    watchedAnimes: body.watched_animes,
    favoriteGenres: body.favorite_genres,
    favoriteStudios: body.favorite_studios,
    frequencyOfWatch: firstAliasIn(inputAliases.frequency, body),
    fanaticLevel: body.fanatic_level,
    preferredFormat: body.preferred_format,
  };
}

function echoOf(body: Change, profile: Profile, context: Context): z.input<typeof echo> {
  const record = profileOnWire(profile, context);
  const { avatar_url, frequency_of_watch } = record;
  const sent = Object.entries(record).filter(([name]) => name in body);
  return {
    ...Object.fromEntries(sent),
    ...(firstAliasIn(inputAliases.avatar, body) !== undefined && { avatar: avatar_url, avatar_url }),
    ...(firstAliasIn(inputAliases.frequency, body) !== undefined && {
      frequency: frequency_of_watch,
      frequency_of_watch,
    }),
    id: record.id,
    email: record.email,
    updated_at: record.updated_at,
  };
}

export const loader = serve(read, save);
export const action = loader;

import { z } from "zod";
import {
  getProfile,
  type Profile,
  type ProfileChange,
  saveProfile,
} from "#app/domain/accounts/accounts.server.ts";
import {
  fanaticLevels,
  genders,
  preferredFormats,
  titleLanguages,
  watchFrequencies,
} from "#app/domain/accounts/accounts.ts";
import { genres, largestId } from "#app/domain/catalog/catalog.ts";
import type { Context } from "#app/http/context.server.ts";
import { currentUser, memberOrToken } from "#app/http/guard.server.ts";
import { operation, serve, succeed, success } from "#app/http/operation.server.ts";
import { requirePicture } from "#app/http/picture-address.server.ts";
import { profileOnWire, profileRecord } from "#app/http/profile-answer.server.ts";
import { sameOrigin } from "#app/http/same-origin.server.ts";
import {
  firstOf,
  spelled,
  spelledDate,
  spelledId,
  spelledWord,
  spellings,
} from "#app/http/spellings.server.ts";

export const middleware = [sameOrigin, memberOrToken];

const preferences = z.object({
  enfasiscolor: z.string(),
  parentalControl: z.boolean(),
  trackSearchHistory: z.boolean(),
  timeZone: z.string().nullable(),
  titleLanguage: z.enum(titleLanguages),
});

const read = operation("GET", {
  tag: "Profile",
  summary: "The whole profile, with preferences",
  answer: success(profileRecord.extend({ preferences })),
  handle: async ({ context }) => {
    const user = currentUser(context);
    const profile = await getProfile(user.id);
    if (!profile.ok) return profile;
    return succeed({ ...profileOnWire(profile.value, context), preferences: user.preferences });
  },
});

const animes = z
  .array(spelledId.pipe(z.int().max(largestId)))
  .max(10_000)
  .optional();

const change = z.object({
  name: z.string(),
  last_name: z.string(),
  gender: spelledWord(genders),
  birthday: spelledDate.nullable().optional(),
  ...spelled(spellings.avatar, z.string().nullable()),
  favorite_animes: animes,
  watched_animes: animes,
  favorite_genres: z.array(spelledWord(genres)).max(100).optional(),
  favorite_studios: z.array(z.string().trim().min(1).max(200)).max(500).optional(),
  ...spelled(spellings.frequency, spelledWord(watchFrequencies).nullable()),
  fanatic_level: spelledWord(fanaticLevels).nullable().optional(),
  preferred_format: spelledWord(preferredFormats).nullable().optional(),
});
type Change = z.output<typeof change>;

const echo = z.object({
  ...profileRecord.pick({ id: true, email: true, updated_at: true }).shape,
  ...profileRecord.omit({ id: true, email: true, updated_at: true }).partial().shape,
  avatar: z.string().nullable().optional(),
  frequency: profileRecord.shape.frequency_of_watch.optional(),
});

const save = operation("POST", {
  tag: "Profile",
  summary: "Save the profile",
  description: "Tastes that are not sent stay as they are. Answers what was sent, as it is stored.",
  body: change,
  answer: success(echo),
  handle: async ({ body, context }) => {
    const outcome = await saveProfile(currentUser(context).id, asChange(body, context));
    return outcome.ok ? succeed(echoOf(body, outcome.value, context)) : outcome;
  },
});

function asChange(body: Change, context: Context): ProfileChange {
  const avatar = firstOf(spellings.avatar, body);
  return {
    name: body.name,
    lastName: body.last_name,
    gender: body.gender,
    birthday: body.birthday,
    avatarUrl: avatar == null ? avatar : requirePicture(avatar, "avatar", context),
    favoriteAnimes: body.favorite_animes,
    watchedAnimes: body.watched_animes,
    favoriteGenres: body.favorite_genres,
    favoriteStudios: body.favorite_studios,
    frequencyOfWatch: firstOf(spellings.frequency, body),
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
    ...(firstOf(spellings.avatar, body) !== undefined && { avatar: avatar_url, avatar_url }),
    ...(firstOf(spellings.frequency, body) !== undefined && {
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

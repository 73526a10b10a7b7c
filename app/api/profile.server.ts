import { z } from "zod";
import type { Profile } from "#app/domain/accounts/accounts.server.ts";
import { fanaticLevels, genders, preferredFormats, watchFrequencies } from "#app/domain/accounts/accounts.ts";
import type { Context } from "#app/http/context.server.ts";
import { absoluteUrl } from "#app/http/endpoint/absolute-url.server.ts";
import { snakeCaseCopier } from "#app/platform/snake-case.ts";

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

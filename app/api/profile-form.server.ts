import { z } from "zod";
import type { ProfileChange } from "#app/domain/accounts/accounts.server.ts";
import { fanaticLevels, genders, preferredFormats, watchFrequencies } from "#app/domain/accounts/accounts.ts";
import { genres } from "#app/domain/catalog/catalog.ts";

/** The two forms about a person, wherever they stand: at sign-up and on the profile's edit page. */

/** An empty choice takes the answer back. */
const choice = <const Words extends readonly [string, ...string[]]>(words: Words) =>
  z
    .enum(words)
    .or(z.literal("").transform(() => null))
    .optional();
const text = (longest: number) => z.string().trim().max(longest);

export const personForm = z.object({
  name: text(200),
  last_name: text(200)
    .transform((name) => name || null)
    .optional(),
  birthday: text(10)
    .transform((date) => date || null)
    .optional(),
  gender: choice(genders),
});

export const toPerson = (form: z.output<typeof personForm>): ProfileChange => ({
  name: form.name,
  lastName: form.last_name,
  birthday: form.birthday,
  gender: form.gender,
});

/** Ticks are fields of their own, `genre:Action` and `favorite:1`, so that none of them hides another. */
export const tasteForm = z.looseObject({
  frequency: choice(watchFrequencies),
  fanatic_level: choice(fanaticLevels),
  preferred_format: choice(preferredFormats),
  studios: text(4000).optional(),
});

/** Both at once. One object and no intersection, whose halves would have to agree on every field they both see. */
export const profileForm = tasteForm.extend(personForm.shape);

const ticked = (form: object, prefix: string) =>
  Object.keys(form).flatMap((name) => (name.startsWith(prefix) ? [name.slice(prefix.length)] : []));

export function toTastes(form: z.output<typeof tasteForm>): ProfileChange {
  const wanted = ticked(form, "genre:");
  const ids = ticked(form, "favorite:").filter((id) => /^[1-9]\d{0,8}$/.test(id));
  return {
    favoriteGenres: genres.filter((genre) => wanted.includes(genre)),
    favoriteAnimes: ids.map(Number),
    frequencyOfWatch: form.frequency,
    fanaticLevel: form.fanatic_level,
    preferredFormat: form.preferred_format,
    ...(form.studios !== undefined && { favoriteStudios: splitNames(form.studios) }),
  };
}

const splitNames = (names: string) =>
  names
    .split(",")
    .map((name) => name.trim())
    .filter(Boolean)
    .slice(0, 100);

import { z } from "zod";
import type { ProfileChange } from "#app/domain/accounts/accounts.server.ts";
import { fanaticLevels, genders, preferredFormats, watchFrequencies } from "#app/domain/accounts/accounts.ts";
import { genres } from "#app/domain/catalog/catalog.ts";

/** The forms for personal details and tastes. Sign-up and the page for editing the profile use them. */

/** An empty choice clears the stored answer. */
const choice = <const Words extends readonly [string, ...string[]]>(words: Words) =>
  z
    .enum(words)
    .or(z.literal("").transform(() => null))
    .optional();
const text = (maxLength: number) => z.string().trim().max(maxLength);

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

/** Each checkbox has its own field name, such as `genre:Action`, because the form parser keeps one value per name. */
export const tasteForm = z.looseObject({
  frequency: choice(watchFrequencies),
  fanatic_level: choice(fanaticLevels),
  preferred_format: choice(preferredFormats),
  studios: text(4000).optional(),
});

/**
 * Both forms as one object. A zod intersection would throw: the loose half returns the fields of the other one without its
 * transforms, and the two results would differ.
 */
export const profileForm = tasteForm.extend(personForm.shape);

const checkedNames = (form: object, prefix: string) =>
  Object.keys(form).flatMap((name) => (name.startsWith(prefix) ? [name.slice(prefix.length)] : []));

export function toTastes(form: z.output<typeof tasteForm>): ProfileChange {
  const names = checkedNames(form, "genre:");
  const ids = checkedNames(form, "favorite:").filter((id) => /^[1-9]\d{0,8}$/.test(id));
  return {
    favoriteGenres: genres.filter((genre) => names.includes(genre)),
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

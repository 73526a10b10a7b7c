import { z } from "zod";
import {
  getProfile,
  type Profile,
  type ProfileChange,
  updateProfile,
} from "#app/domain/accounts/accounts.server.ts";
import { fanaticLevels, genders, preferredFormats, watchFrequencies } from "#app/domain/accounts/accounts.ts";
import { genres } from "#app/domain/catalog/catalog.ts";
import type { Outcome } from "#app/domain/errors.ts";
import { mebibytes } from "#app/platform/units.ts";

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

/**
 * Each checkbox has its own field name, such as `genre:Action`, because the form parser keeps one value per name. Behind a
 * box that was ticked, a hidden field sends "0" for the case that it no longer is. So the form removes only what it
 * showed as ticked: not hidden titles and genres, titles that the catalog does not have, and what another device added.
 */
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

/** All favorites that a profile can have, URL-encoded, with the hidden field of each. */
export const maxProfileFormBytes = mebibytes(4);

/** Saves the tastes of the form, and the person if the form has that part too. */
export async function saveTastes(
  userId: string,
  form: z.output<typeof tasteForm>,
  person: ProfileChange = {},
): Promise<Outcome<Profile>> {
  const stored = await getProfile(userId);
  if (!stored.ok) return stored;
  return updateProfile(userId, { ...person, ...toTastes(form, stored.value) });
}

function toTastes(form: z.output<typeof tasteForm>, stored: Profile): ProfileChange {
  const ids = ticksIn(form, "favorite:").filter(([id]) => /^[1-9]\d{0,8}$/.test(id));
  const names = ticksIn(form, "genre:").flatMap(([name, isTicked]) => {
    const genre = genres.find((one) => one === name);
    return genre === undefined ? [] : [[genre, isTicked] as const];
  });
  return {
    favoriteGenres: withTicks(stored.favoriteGenres, new Map(names)),
    favoriteAnimes: withTicks(
      stored.favoriteAnimes,
      new Map(ids.map(([id, isTicked]) => [Number(id), isTicked])),
    ),
    frequencyOfWatch: form.frequency,
    fanaticLevel: form.fanatic_level,
    preferredFormat: form.preferred_format,
    ...(form.studios !== undefined && { favoriteStudios: splitNames(form.studios) }),
  };
}

const ticksIn = (form: object, prefix: string) =>
  Object.entries(form).flatMap(([name, value]) =>
    name.startsWith(prefix) ? [[name.slice(prefix.length), value !== "0"] as const] : [],
  );

/** Undefined when nothing changes. A value without a checkbox in the form stays. */
function withTicks<Value>(stored: readonly Value[], ticks: ReadonlyMap<Value, boolean>): Value[] | undefined {
  const kept = stored.filter((value) => ticks.get(value) !== false);
  const added = [...ticks].flatMap(([value, isTicked]) =>
    isTicked && !stored.includes(value) ? [value] : [],
  );
  return kept.length === stored.length && added.length === 0 ? undefined : [...kept, ...added];
}

const splitNames = (names: string) =>
  names
    .split(",")
    .map((name) => name.trim())
    .filter(Boolean)
    .slice(0, 100);

import { z } from "zod";
import { readStudioNames } from "#app/domain/catalog/catalog.server.ts";
import { genres } from "#app/domain/catalog/catalog.ts";
import { findReplacements } from "#app/domain/catalog-editing/catalog-editing.server.ts";
import { pickFields } from "#app/domain/declared-fields.ts";
import { done, type Outcome, refuse } from "#app/domain/errors.ts";
import {
  editProfile,
  type FavoriteMove,
  type Profile,
  type ProfileChange,
  tooManyFavoritesRefusal,
} from "#app/domain/profile/profile.server.ts";
import {
  genders,
  maxFavoriteStudios,
  maxFavoriteTitles,
  maxStudioLength,
  memberFields,
  questionNames,
} from "#app/domain/profile/profile.ts";
import { pageNumberIn } from "#app/platform/numbered-pages.ts";
import { snakeCase, toCamelCase, toSnakeCase } from "#app/platform/snake-case.ts";
import { mebibytes } from "#app/platform/units.ts";
import { dateInput } from "../input-aliases.server.ts";

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
    .pipe(dateInput.nullable())
    .optional(),
  gender: choice(genders),
});

const somePerson = personForm.partial();

type Person = Pick<ProfileChange, "name" | "lastName" | "birthday" | "gender">;

export const toPerson = (form: z.output<typeof somePerson>): Person => ({
  name: form.name,
  lastName: form.last_name,
  birthday: form.birthday,
  gender: form.gender,
});

const choices = questionNames.map((name) => [name, choice(memberFields[name].words)]);
type Answers = { [Name in (typeof questionNames)[number]]: z.ZodType<ProfileChange[Name]> };
const { frequencyOfWatch: frequency, ...others } = Object.fromEntries(choices) as Answers;
const answers = toSnakeCase(others);

/** The questions about a member's tastes, as the form asks them. */
export const listQuestions = (profile: Profile) =>
  questionNames.map((name) => ({
    name: name === "frequencyOfWatch" ? "frequency" : snakeCase(name),
    label: memberFields[name].question,
    options: memberFields[name].words,
    chosen: profile[name],
  }));

const maxSearchLength = 200;

/**
 * Each checkbox has its own field name, such as `genre:Action`, because the form parser keeps one value per name. Next
 * to a ticked box, a hidden field sends "0" in case it is unticked. So the form removes only values that it showed as
 * ticked, and keeps hidden titles and genres, titles that the catalog does not have, and values added on another
 * device.
 */
export const tasteForm = z.looseObject({
  frequency,
  ...answers,
  add_studios: text(4000).default(""),
  /**
   * Sent by the button that searches for titles. The current ticks are saved first, because the answer is another page.
   */
  find: z.literal("1").optional(),
  q: text(maxSearchLength).default(""),
});

/** The search text of the page with the results. */
export const studioSearchOf = ({ searchParams }: URL) =>
  (searchParams.get("q") ?? "").trim().slice(0, maxSearchLength);

/** The page of the favorites that an address asks for. */
export const favoritesPageOf = ({ searchParams }: URL): number =>
  pageNumberIn(searchParams.get("favorites"), maxFavoriteTitles);

/** Whether the form removes favorites, so that later ones move up to the page that it shows. */
export const removesFavorites = (form: z.output<typeof tasteForm>): boolean =>
  ticksIn(form, "favorite:").some(([, isTicked]) => !isTicked);

/** Null if there is no search. Enter in another field of the form also presses the button, with an empty search. */
export const searchIn = ({ find, q }: z.output<typeof tasteForm>): string | null =>
  find === undefined || q === "" ? null : q;

/**
 * All sections as one object, because fields that a section does not send stay unchanged. A zod intersection would
 * throw: its loose half returns the fields of the other half without their transforms, and the two results would
 * differ.
 */
export const profileForm = tasteForm.extend({
  ...somePerson.shape,
  /** Sent by the buttons that move a favorite by one, or to the front. The current ticks are saved first. */
  move: z
    .stringFormat("move", /^(first|earlier|later):[1-9]\d{0,8}$/)
    .transform((text): FavoriteMove => {
      const [to, id] = text.split(":");
      return { malId: Number(id), to: to as FavoriteMove["to"] };
    })
    .optional(),
  /** Sent by the buttons that open another page of the favorites. The current ticks are saved first. */
  favorites: z.coerce.number().int().min(1).max(maxFavoriteTitles).optional(),
});

/** More than the form with all studios that a profile can have, URL-encoded, with a hidden field for each. */
export const maxProfileFormBytes = mebibytes(4);

/** Saves the person and the tastes that the form contains. */
export async function saveTastes(
  userId: string,
  form: z.output<typeof tasteForm>,
  person: Person = {},
): Promise<Outcome<Profile>> {
  const typed = await readStudioNames(form.add_studios);
  const favorites = await readFavorites(form);
  return editProfile(userId, (stored) => {
    const studios = editStudios(form, typed, stored.favoriteStudios);
    if (!studios.ok) return studios;
    const tastes = toTastes(form, stored, favorites);
    // An import of an earlier version may have left more favorites. They can be kept or reduced.
    const most = Math.max(maxFavoriteTitles, stored.favoriteAnimes.length);
    if ((tastes.favoriteAnimes?.length ?? 0) > most) return tooManyFavoritesRefusal;
    return done({ ...person, ...tastes, favoriteStudios: studios.value });
  });
}

/** Undefined when nothing changes. */
function editStudios(
  form: z.output<typeof tasteForm>,
  typed: readonly string[],
  stored: readonly string[],
): Outcome<string[] | undefined> {
  const ticks = new Map(ticksIn(form, "studio:").map(([name, isTicked]) => [lineBreaks(name), isTicked]));
  const remaining = stored.filter((name) => ticks.get(lineBreaks(name)) !== false);
  const added = typed.filter((name) => !remaining.includes(name));
  if (added.some((name) => name.length > maxStudioLength))
    return refuse("invalid", `The name of a studio can have up to ${maxStudioLength} characters.`);
  if (added.length > 0 && remaining.length + added.length > maxFavoriteStudios)
    return refuse("invalid", `A profile can have up to ${maxFavoriteStudios} studios. Remove some first.`);
  return done(
    remaining.length === stored.length && added.length === 0 ? undefined : [...remaining, ...added],
  );
}

/** Browsers send each line break of a form as CR LF. */
const lineBreaks = (text: string) => text.replace(/\r\n?/g, "\n");

/** The ticks by title. A title can have been replaced by another since the form was shown. */
async function readFavorites(form: object): Promise<ReadonlyMap<number, boolean>> {
  const ticks = ticksIn(form, "favorite:").flatMap(([id, isTicked]) =>
    /^[1-9]\d{0,8}$/.test(id) ? [[Number(id), isTicked] as const] : [],
  );
  const replacements = await findReplacements(ticks.map(([malId]) => malId));
  return new Map(ticks.map(([malId, isTicked]) => [replacements.get(malId) ?? malId, isTicked]));
}

function toTastes(
  form: z.output<typeof tasteForm>,
  stored: Profile,
  favorites: ReadonlyMap<number, boolean>,
) {
  const names = ticksIn(form, "genre:").flatMap(([name, isTicked]) => {
    const genre = genres.find((one) => one === name);
    return genre === undefined ? [] : [[genre, isTicked] as const];
  });
  return {
    favoriteGenres: withTicks(stored.favoriteGenres, new Map(names)),
    favoriteAnimes: withTicks(stored.favoriteAnimes, favorites),
    frequencyOfWatch: form.frequency,
    ...toCamelCase(pickFields(form, Object.keys(answers) as (keyof typeof answers)[])),
  };
}

const ticksIn = (form: object, prefix: string) =>
  Object.entries(form).flatMap(([name, value]) =>
    name.startsWith(prefix) ? [[name.slice(prefix.length), value !== "0"] as const] : [],
  );

/** Undefined when nothing changes. A value without a checkbox in the form stays. */
function withTicks<Value>(stored: readonly Value[], ticks: ReadonlyMap<Value, boolean>): Value[] | undefined {
  const known = new Set(stored);
  const remaining = stored.filter((value) => ticks.get(value) !== false);
  const added = [...ticks].flatMap(([value, isTicked]) => (isTicked && !known.has(value) ? [value] : []));
  return remaining.length === stored.length && added.length === 0 ? undefined : [...remaining, ...added];
}

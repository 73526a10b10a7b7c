import { z } from "zod";
import type { PreferencesChange } from "#app/domain/accounts/accounts.server.ts";
import {
  isLanguage,
  isSoundLanguage,
  mapPreferences,
  type Preferences,
} from "#app/domain/accounts/accounts.ts";
import { isTimeZone } from "#app/domain/calendar/calendar.ts";
import { pickFields } from "#app/domain/declared-fields.ts";
import { mustBeTimeZone } from "#app/platform/validation-messages.ts";
import { colorInput, firstAliasIn, inputAliases, withAliases, wordInput } from "./input-aliases.server.ts";

/** Preferences on the wire (specification, section 2.2), made from their declarations in the domain. */

const soundNote = { description: "`original`, or a language such as `ja` or `pt-BR`" };

const { accentColor: colorAnswer, ...answers } = mapPreferences({
  color: () => z.string(),
  word: ({ words }) => z.enum(words),
  switch: () => z.boolean(),
  zone: () => z.string().nullable(),
  sound: () => z.string(),
  languages: () => z.array(z.string()).readonly(),
});

export const preferencesObject = z
  .object({
    enfasiscolor: colorAnswer,
    ...answers,
    forgetsWatched: answers.forgetsWatched.meta({
      description: "Watching leaves no resume point, no history and no ticks",
    }),
    skipsSegments: answers.skipsSegments.meta({
      description: "Openings and endings are skipped while playing",
    }),
    playsNext: answers.playsNext.meta({ description: "The next episode begins by itself" }),
    soundLanguage: answers.soundLanguage.meta(soundNote),
  })
  .meta({ id: "Preferences" });

export const preferencesOnWire = ({
  accentColor,
  ...named
}: Preferences): z.input<typeof preferencesObject> => ({ enfasiscolor: accentColor, ...named });

/** The table of kinds has one type for all word fields. This type has each field's own words. */
export type PreferenceInputs = { [Name in keyof Preferences]: z.ZodType<Preferences[Name]> };

const { accentColor, parentalControl, trackSearchHistory, ...inputs } = mapPreferences({
  color: () => colorInput,
  word: ({ words }) => wordInput(words),
  switch: () => z.boolean(),
  zone: () => z.string().max(64).refine(isTimeZone, mustBeTimeZone).nullable(),
  sound: () => z.string().refine(isSoundLanguage, "must be original or a language").meta(soundNote),
  languages: ({ maxLanguages }) =>
    z.array(z.string().refine(isLanguage, "must be a language")).max(maxLanguages),
}) as PreferenceInputs;

export const preferencesChange = z.object({
  ...withAliases(inputAliases.accent, accentColor),
  ...withAliases(inputAliases.parentalControl, parentalControl),
  ...withAliases(inputAliases.trackSearchHistory, trackSearchHistory),
  ...z.object(inputs).partial().shape,
});

export const toPreferencesChange = (body: z.output<typeof preferencesChange>): PreferencesChange => ({
  ...pickFields(body, Object.keys(inputs) as (keyof typeof inputs)[]),
  accentColor: firstAliasIn(inputAliases.accent, body),
  parentalControl: firstAliasIn(inputAliases.parentalControl, body),
  trackSearchHistory: firstAliasIn(inputAliases.trackSearchHistory, body),
});

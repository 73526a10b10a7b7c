import { z } from "zod";
import { type Preferences, scoreFormats, titleLanguages } from "#app/domain/accounts/accounts.ts";

/** Preferences on the wire (specification, section 2.2). */

export const preferencesObject = z
  .object({
    enfasiscolor: z.string(),
    parentalControl: z.boolean(),
    trackSearchHistory: z.boolean(),
    listsWatched: z.boolean(),
    timeZone: z.string().nullable(),
    titleLanguage: z.enum(titleLanguages),
    scoreFormat: z.enum(scoreFormats),
    soundLanguage: z.string().meta({ description: "`original`, or a language" }),
    subtitleLanguages: z.array(z.string()).readonly(),
    plainSubtitles: z.boolean(),
  })
  .meta({ id: "Preferences" });

export const preferencesOnWire = ({
  accentColor,
  ...named
}: Preferences): z.output<typeof preferencesObject> => ({ enfasiscolor: accentColor, ...named });

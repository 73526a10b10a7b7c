import { z } from "zod";
import { type Preferences, scoreFormats, themes, titleLanguages } from "#app/domain/accounts/accounts.ts";

/** Preferences on the wire (specification, section 2.2). */

export const preferencesObject = z
  .object({
    enfasiscolor: z.string(),
    theme: z.enum(themes),
    parentalControl: z.boolean(),
    trackSearchHistory: z.boolean(),
    forgetsWatched: z
      .boolean()
      .meta({ description: "Watching leaves no resume point, no history and no ticks" }),
    skipsSegments: z.boolean().meta({ description: "Openings and endings are skipped while playing" }),
    playsNext: z.boolean().meta({ description: "The next episode begins by itself" }),
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

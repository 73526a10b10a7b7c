import { z } from "zod";
import { type Preferences, titleLanguages } from "#app/domain/accounts/accounts.ts";

/** Preferences on the wire (specification, section 2.2). */

export const preferencesObject = z
  .object({
    enfasiscolor: z.string(),
    parentalControl: z.boolean(),
    trackSearchHistory: z.boolean(),
    timeZone: z.string().nullable(),
    titleLanguage: z.enum(titleLanguages),
  })
  .meta({ id: "Preferences" });

export const preferencesOnWire = ({
  accentColor,
  ...named
}: Preferences): z.output<typeof preferencesObject> => ({ enfasiscolor: accentColor, ...named });

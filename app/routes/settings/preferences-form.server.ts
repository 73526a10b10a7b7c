import { z } from "zod";
import { isLanguage, isSoundLanguage, mapPreferences } from "#app/domain/accounts/accounts.ts";
import { normalizeHex } from "#app/ui/accent.ts";
import type { PreferenceInputs } from "#app/wire/preferences.server.ts";

/** A checkbox sends its own value and that of the hidden field behind it; the first one counts. */
const ticked = z.enum(["0", "1"]).transform((value) => value === "1");
const languageOrNone = z.string().refine((text) => text === "" || isLanguage(text));
const {
  accentColor: color,
  subtitleLanguages: _,
  ...named
} = mapPreferences({
  color: () => z.string().transform(normalizeHex),
  word: ({ words }) => z.enum(words),
  switch: () => ticked,
  /** Empty for the browser's time zone. */
  zone: () => z.string().transform((zone) => zone || null),
  sound: () => z.string().refine(isSoundLanguage),
  /** Each language has a separate field. */
  languages: () => z.undefined(),
});
/** The page has several forms with preferences. Each sends a part of them, and the rest keeps its value. */
export const preferencesForm = z
  .object({
    enfasiscolor: color,
    ...(named as Omit<PreferenceInputs, "accentColor" | "subtitleLanguages">),
    firstSubtitles: languageOrNone,
    secondSubtitles: languageOrNone,
    thirdSubtitles: languageOrNone,
    /** Sent by a control that saves itself: its page stays, and shows the answer beside the control. */
    alone: z.literal("1"),
  })
  .partial();

import { createFieldsMapper, type FieldValues, listFieldNames } from "#app/domain/declared-fields.ts";
import { scoreFormats, themes, titleLanguageChoices } from "#db/schema/enumerations.ts";

/**
 * The preferences of a member. Columns, JSON, forms, the account's file and the visitor's cookie are derived from this
 * list, in this order.
 *
 * - `initial` is the default, of the column too.
 * - `cookie` is the field's name in the cookie of visitors. Visitors have only the preferences with such a name.
 * - `dividesPages`: visitors' pages are cached once for each value. A visitor who has changed a preference without this
 *   mark gets no cached page.
 * - `missingInCookie` is the value if the cookie lacks the field, where that differs from `initial`: older versions had
 *   another default and left it out of the cookie, and their visitors keep it.
 */
export const preferenceFields = {
  accentColor: { kind: "color", initial: "#0057E7", cookie: "enfasis" },
  /** `system`: light or dark, as the browser asks. */
  theme: {
    kind: "word",
    words: themes,
    initial: "system",
    cookie: "theme",
    missingInCookie: "dark",
    dividesPages: true,
  },
  parentalControl: { kind: "switch", initial: true, cookie: "parental_control" },
  trackSearchHistory: { kind: "switch", initial: true, cookie: "trackSearchHistory", dividesPages: true },
  /** Watching leaves no resume point, no history and no ticks. A child's profile cannot turn this on. */
  forgetsWatched: { kind: "switch", initial: false },
  /** Whether the player skips openings and endings by itself. */
  skipsSegments: { kind: "switch", initial: false },
  /** Whether the next episode begins by itself. */
  playsNext: { kind: "switch", initial: true },
  /** Whether finishing the first episode of a title puts it on the list. */
  listsWatched: { kind: "switch", initial: true },
  /** IANA name; null: the browser's time zone, and Japan time until the browser has sent it. */
  timeZone: { kind: "zone", initial: null, cookie: "tz", dividesPages: true },
  titleLanguage: {
    kind: "word",
    words: titleLanguageChoices,
    initial: "browser",
    cookie: "titles",
    missingInCookie: "romaji",
    dividesPages: true,
  },
  scoreFormat: { kind: "word", words: scoreFormats, initial: "whole" },
  /** `original`, or the language in which the member wants to hear films. */
  soundLanguage: { kind: "sound", initial: "original" },
  /** The preferred language first. Empty: no subtitles until the member chooses some. */
  subtitleLanguages: { kind: "languages", maxLanguages: 5, initial: [] },
  /** Whether subtitles that could be drawn are shown as plain text. */
  plainSubtitles: { kind: "switch", initial: false },
} as const satisfies Record<string, PreferenceField>;

type PreferenceField = {
  kind: string;
  initial: unknown;
  words?: readonly string[];
  maxLanguages?: number;
  cookie?: string;
  missingInCookie?: string;
  dividesPages?: boolean;
};

export type Preferences = FieldValues<
  typeof preferenceFields,
  {
    color: string;
    word: never;
    switch: boolean;
    zone: string | null;
    sound: string;
    languages: readonly string[];
  }
>;

export const preferenceNames = listFieldNames(preferenceFields);
export const mapPreferences = createFieldsMapper(preferenceFields);

const initialValues = Object.entries(preferenceFields).map(([name, { initial }]) => [name, initial]);
export const defaultPreferences = Object.fromEntries(initialValues) as Preferences;

type PreferenceName = keyof typeof preferenceFields;
export type VisitorPreferenceName = {
  [Name in PreferenceName]: (typeof preferenceFields)[Name] extends { cookie: string } ? Name : never;
}[PreferenceName];
export const visitorPreferenceNames = preferenceNames.filter(
  (name): name is VisitorPreferenceName => "cookie" in preferenceFields[name],
);

import type { Preferences } from "#app/domain/accounts/accounts.ts";
import type { ScoreFormat } from "#app/domain/library/library.ts";
import { listLanguages } from "#app/domain/playback/playback.server.ts";
import { cityOf, listZonesWith } from "#app/routes/views/time-zones.server.ts";
import { themeLabels } from "#app/ui/shell/themes.ts";

/** Says what parental control hides now. */
export function parentalControlText(isOn: boolean, isMinor: boolean): string {
  if (isMinor) return "Your birthday says that you are under 18, so titles for adults are always hidden.";
  return isOn
    ? "Titles rated Rx and titles of the genres Erotica and Hentai are hidden on the whole site."
    : "No titles are hidden. Turn this on to hide titles rated Rx and the genres Erotica and Hentai.";
}

/** Every language shows the same title, as an example. */
const titleLanguageLabels: Record<Preferences["titleLanguage"], string> = {
  browser: "As this browser: English, or Japanese in a Japanese one",
  english: "English: Attack on Titan",
  romaji: "Romaji: Shingeki no Kyojin",
  japanese: "Japanese: 進撃の巨人",
};

const scoreFormatLabels: Record<ScoreFormat, string> = {
  whole: "1 to 10",
  decimal: "1.0 to 10.0",
  stars: "5 stars",
};

/** The values that the page offers, with their labels. */
export const preferenceChoices = {
  soundLanguage: [["original", "Original"] as [string, string], ...listLanguages()],
  subtitleLanguages: [["", "None"] as [string, string], ...listLanguages()],
  titleLanguage: Object.entries(titleLanguageLabels),
  theme: Object.entries(themeLabels),
  scoreFormat: Object.entries(scoreFormatLabels),
};

/** The account's time zone, or that of the browser. The cookie has the browser's only while the account has none. */
export function listZoneChoices(own: string | null, cookieZone: string | null) {
  const label = "As this browser";
  const browserLabel = own === null && cookieZone !== null ? `${label}: ${cityOf(cookieZone)}` : label;
  return [["", browserLabel] as const, ...listZonesWith(own ?? "UTC")];
}

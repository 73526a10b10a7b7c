import type { TitleLanguage } from "#app/domain/visitor/visitor.ts";
import { cityOf, listZonesWith } from "#app/ui/time-zones.server.ts";

/** Says what parental control hides now. */
export function parentalControlText(isOn: boolean, isMinor: boolean): string {
  if (isMinor) return "Your birthday says that you are under 18, so titles for adults are always hidden.";
  return isOn
    ? "Titles rated Rx and titles of the genres Erotica and Hentai are hidden on the whole site."
    : "No titles are hidden. Turn this on to hide titles rated Rx and the genres Erotica and Hentai.";
}

/** Every language shows the same title, as an example. */
export const titleLanguageLabels: Record<TitleLanguage, string> = {
  romaji: "Japanese in Latin letters: Shingeki no Kyojin",
  english: "English: Attack on Titan",
  japanese: "Japanese: 進撃の巨人",
};

/** The account's time zone, or that of the browser. The cookie has the browser's only while the account has none. */
export function listZoneChoices(own: string | null, cookieZone: string | null) {
  const label = "As this browser";
  const browserLabel = own === null && cookieZone !== null ? `${label}: ${cityOf(cookieZone)}` : label;
  return [["", browserLabel] as const, ...listZonesWith(own ?? "UTC")];
}

import type { TitleLanguage } from "#app/domain/visitor/visitor.ts";

/** What parental control does now, in words. */
export function contentWords(isOn: boolean, isMinor: boolean): string {
  if (isMinor) return "By your birthday you are under 18, so titles for adults stay hidden everywhere.";
  return isOn
    ? "Hidden now, everywhere on the site: titles rated Rx, and the genres Erotica and Hentai."
    : "Nothing is hidden now. Turn it on to hide titles rated Rx, and the genres Erotica and Hentai.";
}

/** Each by the same title, as it would read. */
export const titleLanguageNames: Record<TitleLanguage, string> = {
  romaji: "Japanese in Latin letters: Shingeki no Kyojin",
  english: "English: Attack on Titan",
  japanese: "Japanese: 進撃の巨人",
};

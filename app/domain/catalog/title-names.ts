/** The names of titles and episodes, and those that pages show of them. */

export type TitleNames = {
  title: string;
  titleEnglish: string | null;
  titleJapanese: string | null;
};

/** A title without a name in the language has its own. */
export function displayTitle(names: TitleNames, language: "romaji" | "english" | "japanese"): string {
  if (language === "english") return names.titleEnglish?.trim() || names.title;
  if (language === "japanese") return names.titleJapanese?.trim() || names.title;
  return names.title;
}

/** The name of the episode; null if it only repeats the number, as some sources send it. */
export const ownNameOf = ({ number, title }: { number: number; title: string | null }): string | null =>
  title !== null && /^(?:episode|ep\.?|#)?\s*0*(\d+)$/i.exec(title.trim())?.[1] === `${number}`
    ? null
    : title;

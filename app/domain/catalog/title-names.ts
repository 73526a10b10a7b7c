/** Chooses the name under which pages show a title. */

export type TitleNames = {
  title: string;
  titleEnglish: string | null;
  titleJapanese: string | null;
};

/** Falls back to the main name if the title has none in this language. */
export function displayTitle(names: TitleNames, language: "romaji" | "english" | "japanese"): string {
  if (language === "english") return names.titleEnglish?.trim() || names.title;
  if (language === "japanese") return names.titleJapanese?.trim() || names.title;
  return names.title;
}

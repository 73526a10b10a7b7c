import type { TitleLanguage } from "#app/domain/visitor/visitor.ts";

/** The name of a title in the viewer's title language. */

export type TitleNames = {
  title: string;
  titleEnglish: string | null;
  titleJapanese: string | null;
};

export function displayTitle(names: TitleNames, language: TitleLanguage): string {
  if (language === "english") return names.titleEnglish?.trim() || names.title;
  if (language === "japanese") return names.titleJapanese?.trim() || names.title;
  return names.title;
}

/** The name, and its language if it differs from the page's. */
export function nameIn(title: TitleNames, language: TitleLanguage): { name: string; lang?: "ja" } {
  const name = displayTitle(title, language);
  return name === title.titleJapanese && name !== title.title ? { name, lang: "ja" } : { name };
}

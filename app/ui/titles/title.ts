import type { TitleLanguage } from "#app/domain/visitor/visitor.ts";

/** How a title is named on the site; the domain knows nothing of the language that a viewer reads names in. */

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

/** With the language of the name where it is not that of the page. */
export function nameIn(title: TitleNames, language: TitleLanguage): { name: string; lang?: "ja" } {
  const name = displayTitle(title, language);
  return name === title.titleJapanese && name !== title.title ? { name, lang: "ja" } : { name };
}

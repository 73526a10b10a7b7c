import { displayTitle, type TitleNames } from "#app/domain/catalog/catalog.ts";
import type { TitleLanguage } from "#app/domain/visitor/visitor.ts";

/** The name of a title in the viewer's title language, and its language if it differs from the page's. */
export function nameIn(title: TitleNames, language: TitleLanguage): { name: string; lang?: "ja" } {
  const name = displayTitle(title, language);
  return name === title.titleJapanese && name !== title.title ? { name, lang: "ja" } : { name };
}

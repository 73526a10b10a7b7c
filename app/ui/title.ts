import type { TitleLanguage } from "#app/domain/visitor/visitor.ts";

/** How a title is named and addressed on the site; the domain knows nothing of slugs or languages of display. */

export type TitleNames = {
  title: string;
  title_english: string | null;
  title_japanese: string | null;
};

export function displayTitle(names: TitleNames, language: TitleLanguage): string {
  if (language === "english") return names.title_english?.trim() || names.title;
  if (language === "japanese") return names.title_japanese?.trim() || names.title;
  return names.title;
}

const longestSlug = 80;

/** Letters and digits of any script, so that a title without Latin letters still reads in the address. */
export function slugOf(title: string): string {
  const words = title
    .normalize("NFKD")
    .replace(/[\u0300-\u036f]/g, "")
    .normalize("NFC")
    .toLowerCase()
    .replace(/['’]/g, "")
    .replace(/[^\p{L}\p{N}]+/gu, "-");
  let slug = "";
  for (const letter of words) {
    if (slug.length + letter.length > longestSlug) break;
    slug += letter;
  }
  return slug.replace(/^-+|-+$/g, "");
}

export function titlePath(malId: number, title: string): string {
  const slug = slugOf(title);
  return slug === "" ? `/anime/${malId}` : `/anime/${malId}/${encodeURIComponent(slug)}`;
}

import type { NamedOne, TitleCharacter } from "#app/domain/people/people.server.ts";
import type { TitleLanguage } from "#app/domain/visitor/visitor.ts";
import { characterPath, personPath, storedImagePath } from "#app/paths.ts";
import type { Portrait } from "#app/ui/people/portrait.tsx";

/** People and characters as pages show them. */

const japaneseLetters = /[\u3040-\u30ff\u3400-\u9fff]/;

/** The name in the viewer's title language, and the language if it is Japanese. */
export function bothNamesOf({ name, nameNative }: NamedOne, language: TitleLanguage) {
  const shown = language === "japanese" ? (nameNative ?? name) : name;
  const other = shown === name ? nameNative : name;
  return {
    ...nameWithLang(shown),
    other: other === null || other === shown ? null : nameWithLang(other),
  };
}

const nameWithLang = (name: string): { name: string; lang?: "ja" } =>
  japaneseLetters.test(name) ? { name, lang: "ja" } : { name };

const pictureOf = ({ pictureCid }: NamedOne) => pictureCid && storedImagePath(pictureCid);

/** A person without a picture, for a line of text. */
export function toPersonName(person: NamedOne, language: TitleLanguage) {
  const { other: _, ...name } = bothNamesOf(person, language);
  return { ...name, path: personPath(person.id, person.name) };
}

export const toPersonPortrait = (person: NamedOne, language: TitleLanguage, note: string): Portrait => ({
  ...toPersonName(person, language),
  picture: pictureOf(person),
  note,
});

export function toCharacterPortrait(character: NamedOne, language: TitleLanguage, note: string): Portrait {
  const { other: _, ...name } = bothNamesOf(character, language);
  return { ...name, path: characterPath(character.id, character.name), picture: pictureOf(character), note };
}

export const characterRoleLabels: Record<TitleCharacter["role"], string> = {
  main: "Main",
  supporting: "Supporting",
  background: "Background",
};

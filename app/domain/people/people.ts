/** The door of people for code that also runs in browsers. */

export { characterRoles } from "#db/schema/enumerations.ts";

/** Puts Japanese voices before all others, as pages list them. Otherwise the order stays. */
export function japaneseFirst<Voice extends { language: string }>(voices: readonly Voice[]): Voice[] {
  const isJapanese = ({ language }: Voice) => language === "Japanese";
  return [...voices.filter(isJapanese), ...voices.filter((voice) => !isJapanese(voice))];
}

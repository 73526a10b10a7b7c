/** The voices in the order in which pages list them. Within a language they keep their order. */
export function japaneseFirst<Voice extends { language: string }>(voices: readonly Voice[]): Voice[] {
  const isJapanese = ({ language }: Voice) => language === "Japanese";
  return [...voices.filter(isJapanese), ...voices.filter((voice) => !isJapanese(voice))];
}

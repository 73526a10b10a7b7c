/** Chooses the names under which pages show titles and their episodes. */

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

/** The episode's name. Null if it only repeats the number ("Episode 5"), which some sources send as a name. */
export const episodeNameOf = ({ number, title }: { number: number; title: string | null }): string | null =>
  title !== null && /^(?:episode|ep\.?|#)?\s*0*(\d+)$/i.exec(title.trim())?.[1] === `${number}`
    ? null
    : title;

/** A title of one episode, as a movie is. Its episode goes by the name of the title. */
export const isSingle = ({ episodes }: { episodes: number | null }): boolean => episodes === 1;

/** "Episode 3: The Journey", or "Episode 3" without a name. */
export function episodeLabelOf(episode: Parameters<typeof episodeNameOf>[0]): string {
  const name = episodeNameOf(episode);
  return name === null ? `Episode ${episode.number}` : `Episode ${episode.number}: ${name}`;
}

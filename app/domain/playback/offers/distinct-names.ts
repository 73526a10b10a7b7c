import type { EpisodeWithFilms } from "./playable-episode.ts";

/** Repeated names get a number, because players tell the tracks of a group apart by their names. */
export function distinctNames(names: readonly string[]): string[] {
  const used = new Set<string>();
  return names.map((base, index) => {
    let name = base;
    for (let suffix = index + 1; used.has(name); suffix += 1) name = `${base} (${suffix})`;
    used.add(name);
    return name;
  });
}

/** Files of one language often have the same label. One menu lists all subtitles of an episode. */
export function withDistinctLabels<Listed extends Pick<EpisodeWithFilms, "subtitles" | "bitmaps">>(
  listed: Listed,
): Listed {
  const { subtitles, bitmaps } = listed;
  const names = distinctNames([...subtitles, ...bitmaps].map(({ label, language }) => label ?? language));
  return {
    ...listed,
    subtitles: subtitles.map((one, index) => ({ ...one, label: names[index] ?? one.label })),
    bitmaps: bitmaps.map((one, index) => ({ ...one, label: names[subtitles.length + index] ?? one.label })),
  };
}

import type { AnimeDetails, Episode, RelationKind, SimilarAnime } from "#app/domain/catalog/catalog.ts";
import type { TitleLanguage } from "#app/domain/visitor/visitor.ts";
import type { CardTitle } from "./card.tsx";
import type { EpisodeItem } from "./episode-list.tsx";
import { dateWords, nextAiring, untilWords, zoneName } from "./moments.ts";
import { factsOfTitle } from "./title-facts.ts";
import { bannerUrl, toCard } from "./title-views.ts";

type View = { language: TitleLanguage; timeZone: string; now: Date };

/** Everything the head and the sides of a title's page say, in words. */
export function titlePage(anime: AnimeDetails, episodes: readonly Episode[], view: View) {
  const { language, timeZone, now } = view;
  const still = episodes.find(({ sources }) => sources.length > 0)?.image_url ?? null;
  const airing = nextAiring(anime, now, timeZone);
  const facts = factsOfTitle(anime, airing, timeZone);
  const card = toCard(anime, language);
  const names = [anime.title, anime.title_english, anime.title_japanese].filter(
    (name, index, all) => name !== null && name !== card.name && all.indexOf(name) === index,
  ) as string[];
  return {
    head: { ...card, synopsis: anime.synopsis, banner: bannerUrl(anime.banner_image ?? still) },
    otherNames: names.map((name) =>
      name === anime.title_japanese ? { name, lang: "ja" as const } : { name },
    ),
    kicker: kickerOf(anime, airing && `${airing.words} ${zoneName(timeZone)}`, now),
    ratingWords: anime.rating?.split(" - ")[0] ?? null,
    voters: anime.scored_by,
    genres: facts.find(({ name }) => name === "Genres")?.values ?? [],
    facts: facts.filter(({ name }) => name !== "Genres"),
    background: anime.background,
    trailer: anime.youtube_id !== null && /^[\w-]{6,20}$/.test(anime.youtube_id) ? anime.youtube_id : null,
    isPlayable: anime.playable,
    isUpcoming: anime.status === "Not yet aired",
    related: anime.relations.flatMap(({ relation, anime: other }) =>
      other === null ? [] : [{ ...toCard(other, language), why: relationWords[relation] }],
    ),
  };
}

function kickerOf(anime: AnimeDetails, nextOn: string | null, now: Date): string | null {
  if (anime.status === "Not yet aired") {
    const until = anime.aired_from === null ? null : untilWords(anime.aired_from, now);
    if (anime.aired_from === null || until === null) return "Not yet aired";
    return `Premieres ${dateWords(anime.aired_from)}, ${until}`;
  }
  if (anime.status === "Currently Airing") return nextOn === null ? "Airing now" : `Airing · next ${nextOn}`;
  return null;
}

const relationWords: Record<RelationKind, string> = {
  sequel: "Sequel",
  prequel: "Prequel",
  alternative_version: "Other version",
  alternative_setting: "Other setting",
  side_story: "Side story",
  parent_story: "Main story",
  summary: "Summary",
  full_story: "Full story",
  spin_off: "Spin-off",
  character: "Shares characters",
  other: "Related",
};

export const toSimilar = (similar: readonly SimilarAnime[], language: TitleLanguage): CardTitle[] =>
  similar.map(({ anime, reason }) => ({ ...toCard(anime, language), why: reason }));

export function toEpisode(episode: Episode, seen: ReadonlySet<number>): EpisodeItem {
  const minutes = episode.duration === null ? null : `${Math.max(1, Math.round(episode.duration / 60))} min`;
  return {
    number: episode.episode_id,
    title: episode.title,
    note: [episode.date === null ? null : dateWords(episode.date), minutes].filter(Boolean).join(" · "),
    isPlayable: episode.sources.length > 0,
    isSeen: seen.has(episode.episode_id),
  };
}

import {
  type Episode,
  type RelationKind,
  ratingLabels,
  type TitleDetails,
} from "#app/domain/catalog/catalog.ts";
import { findNextAiring, type SimilarTitle } from "#app/domain/discovery/discovery.server.ts";
import type { TitleLanguage } from "#app/domain/visitor/visitor.ts";
import { airingTexts, dateText, daysUntilText, timeZoneLabel } from "#app/ui/date-format.server.ts";
import type { CardTitle } from "#app/ui/titles/card.tsx";
import { bannerUrl, toTitleCard } from "#app/ui/titles/title-views.server.ts";
import { factsOfTitle } from "./title-facts.server.ts";

type PageViewer = { language: TitleLanguage; timeZone: string; now: Date };

/** Everything the head and the sides of a title's page say, in words. */
export function toTitlePage(anime: TitleDetails, episodes: readonly Episode[], view: PageViewer) {
  const { language, timeZone, now } = view;
  const still = episodes.find(({ sources }) => sources.length > 0)?.imageUrl ?? null;
  const next = findNextAiring(anime, now);
  const airing = next && airingTexts(next, timeZone);
  const facts = factsOfTitle(anime, airing, timeZone);
  const card = toTitleCard(anime, language);
  const names = [anime.title, anime.titleEnglish, anime.titleJapanese].filter(
    (name, index, all) => name !== null && name !== card.name && all.indexOf(name) === index,
  ) as string[];
  return {
    head: { ...card, synopsis: anime.synopsis, banner: bannerUrl(anime.bannerImage ?? still) },
    otherNames: names.map((name) =>
      name === anime.titleJapanese ? { name, lang: "ja" as const } : { name },
    ),
    kicker: airingText(anime, airing && `${airing.here} ${timeZoneLabel(timeZone)}`, now),
    ratingWords: (anime.rating && ratingLabels[anime.rating].split(" - ")[0]) ?? null,
    voters: anime.scoredBy,
    genres: facts.find(({ name }) => name === "Genres")?.values ?? [],
    facts: facts.filter(({ name }) => name !== "Genres"),
    background: anime.background,
    trailer: anime.youtubeId !== null && /^[\w-]{6,20}$/.test(anime.youtubeId) ? anime.youtubeId : null,
    isPlayable: anime.playable,
    isUpcoming: anime.status === "Not yet aired",
    related: anime.relations.flatMap(({ relation, title: other }) =>
      other === null ? [] : [{ ...toTitleCard(other, language), why: relationLabels[relation] }],
    ),
  };
}

function airingText(anime: TitleDetails, nextOn: string | null, now: Date): string | null {
  if (anime.status === "Not yet aired") {
    const until = anime.airedFrom === null ? null : daysUntilText(anime.airedFrom, now);
    if (anime.airedFrom === null || until === null) return "Not yet aired";
    return `Premieres ${dateText(anime.airedFrom)}, ${until}`;
  }
  if (anime.status === "Currently Airing") return nextOn === null ? "Airing now" : `Airing · next ${nextOn}`;
  return null;
}

const relationLabels: Record<RelationKind, string> = {
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

export const toSimilar = (similar: readonly SimilarTitle[], language: TitleLanguage): CardTitle[] =>
  similar.map(({ title, reason }) => ({ ...toTitleCard(title, language), why: reason }));

import { type Episode, ratingLabels, type TitleDetails } from "#app/domain/catalog/catalog.ts";
import { findNextAiring, type SimilarTitle } from "#app/domain/discovery/discovery.server.ts";
import { bannerUrl } from "#app/domain/images/images.server.ts";
import type { TitleLanguage } from "#app/domain/visitor/visitor.ts";
import { airingTexts, dateText, daysUntilText, timeZoneLabel } from "#app/ui/date-format.server.ts";
import type { CardTitle } from "#app/ui/titles/card.tsx";
import { relationLabels } from "#app/ui/titles/relation-labels.ts";
import { toTitleCard } from "#app/ui/titles/title-views.server.ts";
import { factsOfTitle } from "./title-facts.server.ts";

type ShownFor = { language: TitleLanguage; timeZone: string; now: Date };

/** The texts, links and cards of a title's page, in the viewer's language and time zone. */
export function toTitlePage(
  title: TitleDetails,
  episodes: readonly Episode[],
  { language, timeZone, now }: ShownFor,
) {
  const still = episodes.find(({ sources }) => sources.length > 0)?.imageUrl ?? null;
  const next = findNextAiring(title, now);
  const airing = next && airingTexts(next, timeZone);
  const facts = factsOfTitle(title, airing, timeZone);
  const card = toTitleCard(title, language);
  const names = [title.title, title.titleEnglish, title.titleJapanese].filter(
    (name, index, all) => name !== null && name !== card.name && all.indexOf(name) === index,
  ) as string[];
  return {
    head: { ...card, synopsis: title.synopsis, banner: bannerUrl(title.bannerImage ?? still) },
    otherNames: names.map((name) =>
      name === title.titleJapanese ? { name, lang: "ja" as const } : { name },
    ),
    kicker: airingText(title, airing && `${airing.here} ${timeZoneLabel(timeZone)}`, now),
    ratingLabel: (title.rating && ratingLabels[title.rating].split(" - ")[0]) ?? null,
    voters: title.scoredBy,
    genres: facts.find(({ name }) => name === "Genres")?.values ?? [],
    facts: facts.filter(({ name }) => name !== "Genres"),
    background: title.background,
    trailer: title.youtubeId !== null && /^[\w-]{6,20}$/.test(title.youtubeId) ? title.youtubeId : null,
    isPlayable: title.playable,
    isUpcoming: title.status === "Not yet aired",
    related: title.relations.flatMap(({ relation, title: other }) =>
      other === null ? [] : [{ ...toTitleCard(other, language), why: relationLabels[relation] }],
    ),
  };
}

function airingText(title: TitleDetails, nextOn: string | null, now: Date): string | null {
  if (title.status === "Not yet aired") {
    const until = title.airedFrom === null ? null : daysUntilText(title.airedFrom, now);
    if (title.airedFrom === null || until === null) return "Not yet aired";
    return `Premieres ${dateText(title.airedFrom)}, ${until}`;
  }
  if (title.status === "Currently Airing") return nextOn === null ? "Airing now" : `Airing · next ${nextOn}`;
  return null;
}

export const toSimilar = (similar: readonly SimilarTitle[], language: TitleLanguage): CardTitle[] =>
  similar.map(({ title, reason }) => ({ ...toTitleCard(title, language), why: reason }));

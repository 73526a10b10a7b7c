import {
  type Episode,
  maxEpisodeNumber,
  ratingLabels,
  type TitleDetails,
} from "#app/domain/catalog/catalog.ts";
import { findNextAiring, type SimilarTitle } from "#app/domain/discovery/discovery.server.ts";
import type { Outcome } from "#app/domain/errors.ts";
import { bannerUrl } from "#app/domain/images/images.server.ts";
import type { TitleLanguage } from "#app/domain/visitor/visitor.ts";
import { airingTexts, dateText, daysUntilText, timeZoneLabel } from "#app/routes/views/date-format.server.ts";
import { toEpisode, toTitleCard } from "#app/routes/views/title-views.server.ts";
import { relationLabels } from "#app/ui/titles/relation-labels.ts";
import { factsOfTitle } from "./title-facts.server.ts";

type ShownFor = { language: TitleLanguage; timeZone: string; now: Date };

/** The texts, links and cards of a title's page, in the viewer's language and time zone. */
export function toTitlePage(
  title: TitleDetails,
  { episodes, similar }: { episodes: Outcome<EpisodePage>; similar: readonly SimilarTitle[] },
  { language, timeZone, now }: ShownFor,
) {
  const shown = episodes.ok ? episodes.value.episodes : [];
  const still = shown.find(({ sources }) => sources.length > 0)?.imageUrl ?? null;
  const next = findNextAiring(title, now);
  const airing = next && airingTexts(next, timeZone);
  const facts = factsOfTitle(title, airing, timeZone);
  const card = toTitleCard(title, language);
  const names = [title.title, title.titleEnglish, title.titleJapanese].filter(
    (name, index, all) => name !== null && name !== card.name && all.indexOf(name) === index,
  ) as string[];
  return {
    head: { ...card, synopsis: title.synopsis, banner: bannerUrl(title.bannerImage ?? still) },
    maxProgress: title.episodes ?? maxEpisodeNumber,
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
    noFilm: noFilmTexts[title.status === "Not yet aired" ? "upcoming" : "aired"],
    related: title.relations.flatMap(({ relation, title: other }) =>
      other === null ? [] : [toTitleCard(other, language, relationLabels[relation])],
    ),
    similar: similar.map(({ title: other, reason }) => toTitleCard(other, language, reason)),
  };
}

const noFilmTexts = {
  upcoming: {
    heading: "Not yet aired",
    text: "Add it to your list to find it again when it airs.",
  },
  aired: {
    heading: "No video",
    text: "This site has no source for this title. You can still add it to your list and record your progress.",
  },
};

function airingText(title: TitleDetails, nextOn: string | null, now: Date): string | null {
  if (title.status === "Not yet aired") {
    const until = title.airedFrom === null ? null : daysUntilText(title.airedFrom, now);
    if (title.airedFrom === null || until === null) return "Not yet aired";
    return `Premieres ${dateText(title.airedFrom)}, ${until}`;
  }
  if (title.status === "Currently Airing") return nextOn === null ? "Airing now" : `Airing · next ${nextOn}`;
  return null;
}

type EpisodePage = {
  episodes: readonly Episode[];
  page: number;
  lastPage: number;
  perPage: number;
  total: number;
};

/** One page of episodes. A long list also gets its parts, each named by its first and last number. */
export function toEpisodes(found: Outcome<EpisodePage>, seen: Parameters<typeof toEpisode>[1]) {
  if (!found.ok) return { episodes: [], episodePage: null };
  const { episodes, page, lastPage, perPage, total } = found.value;
  const parts = Array.from({ length: lastPage > 1 ? lastPage : 0 }, (_, index) => {
    const [first, last] = [index * perPage + 1, Math.min(total, (index + 1) * perPage)];
    return first === last ? `${first}` : `${first}–${last}`;
  });
  return {
    episodes: episodes.map((episode) => toEpisode(episode, seen)),
    episodePage: { page, lastPage, parts },
  };
}

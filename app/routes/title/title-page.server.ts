import type { TitleExtras } from "#app/domain/catalog/catalog.server.ts";
import {
  type Episode,
  maxEpisodeNumber,
  ratingLabels,
  type TitleDetails,
} from "#app/domain/catalog/catalog.ts";
import {
  findNextAiring,
  findNextEpisode,
  type SimilarTitle,
  statusWithNext,
} from "#app/domain/discovery/discovery.server.ts";
import type { Outcome } from "#app/domain/errors.ts";
import type { FranchiseAround } from "#app/domain/franchises/franchises.server.ts";
import { bannerUrl, proxiedPictureUrl } from "#app/domain/images/images.server.ts";
import type { Cast } from "#app/domain/people/people.server.ts";
import type { TitleLanguage } from "#app/domain/visitor/visitor.ts";
import { storedImagePath } from "#app/paths.ts";
import { countText } from "#app/platform/count-text.ts";
import {
  airingTexts,
  dateText,
  dayClockText,
  daysUntilText,
  timeZoneLabel,
  weekdayClockText,
} from "#app/routes/views/date-format.server.ts";
import { toEpisode, toTitleCard } from "#app/routes/views/title-views.server.ts";
import { relationLabels } from "#app/ui/titles/relation-labels.ts";
import { countdownText, isFarAhead } from "./countdown-text.ts";
import { toDetails } from "./title-details.server.ts";
import { factsOfTitle } from "./title-facts.server.ts";

type PageOptions = {
  language: TitleLanguage;
  timeZone: string;
  now: Date;
  /** The address asks for all characters, staff and tags. */
  hasAllDetails: boolean;
  pathOfAllDetails: string;
};

/** The texts, links and cards of a title's page, in the viewer's language and time zone. */
export function toTitlePage(
  stored: TitleDetails,
  {
    episodes,
    similar,
    extras,
    cast,
    franchise,
  }: {
    episodes: Outcome<EpisodePage>;
    similar: readonly SimilarTitle[];
    extras: TitleExtras;
    cast: Cast;
    franchise: FranchiseAround | null;
  },
  { language, timeZone, now, hasAllDetails, pathOfAllDetails }: PageOptions,
) {
  const title = { ...stored, status: statusWithNext(stored.status, extras.next, now) };
  const shown = episodes.ok ? episodes.value.episodes : [];
  const still = shown.find(({ sources }) => sources.length > 0)?.imageUrl ?? null;
  const weekly = findNextAiring(title, now);
  const airing = weekly && airingTexts(weekly, timeZone);
  const next = findNextEpisode(title, extras.next, now);
  const facts = factsOfTitle(title, { airing, timeZone, statusByDates: stored.status });
  const card = toTitleCard(title, language);
  // The line of the franchise already shows these, with their place in the story.
  const inLine = new Set(franchise?.parts.map(({ malId }) => malId));
  const names = [title.title, title.titleEnglish, title.titleJapanese].filter(
    (name, index, all) => name !== null && name !== card.name && all.indexOf(name) === index,
  ) as string[];
  return {
    head: { ...card, synopsis: title.synopsis, banner: bannerOf(title, extras, still) },
    isSynopsisLong: title.synopsis !== null && linesOf(title.synopsis) > maxSynopsisLines,
    maxProgress: title.episodes ?? maxEpisodeNumber,
    otherNames: names.map((name) =>
      name === title.titleJapanese ? { name, lang: "ja" as const } : { name },
    ),
    kicker: next === null ? airingText(title, now, timeZone) : null,
    countdown: next && toCountdown(next, timeZone, now),
    ratingLabel: (title.rating && ratingLabels[title.rating].split(" - ")[0]) ?? null,
    counts: countsText(title),
    genres: facts.find(({ name }) => name === "Genres")?.values ?? [],
    facts: facts.filter(({ name }) => name !== "Genres"),
    trailer: title.youtubeId !== null && /^[\w-]{6,20}$/.test(title.youtubeId) ? title.youtubeId : null,
    isPlayable: title.playable,
    noFilm: noFilmTexts[title.status === "Not yet aired" ? "upcoming" : "aired"],
    details: toDetails(extras, cast, {
      title,
      language,
      isWhole: hasAllDetails,
      pathOfAll: pathOfAllDetails,
    }),
    related: title.relations.flatMap(({ relation, title: other }) =>
      other === null || inLine.has(other.malId)
        ? []
        : [toTitleCard(other, language, relationLabels[relation])],
    ),
    similar: similar.map(({ title: other, reason }) => toTitleCard(other, language, reason)),
  };
}

/**
 * The stored banner replaces one of another site that cannot be reached. It does not replace a missing one, because an
 * operator may have removed it.
 */
function bannerOf({ bannerImage }: TitleDetails, { bannerCid }: TitleExtras, still: string | null) {
  if (bannerImage === null) return bannerUrl(still);
  return bannerUrl(bannerImage) ?? (bannerCid && storedImagePath(bannerCid));
}

/** The page folds a synopsis of more lines to eight. A fold that hides one or two lines is not worth its button. */
const maxSynopsisLines = 10;
const lettersPerLine = 62;

const linesOf = (text: string): number =>
  text
    .split("\n")
    .reduce((lines, paragraph) => lines + Math.max(1, Math.ceil(paragraph.length / lettersPerLine)), 0);

const noFilmTexts = {
  upcoming: { fact: "Not yet aired.", forMembers: "Your list can already hold it." },
  aired: { fact: "No video here.", forMembers: "Your list can still record your progress." },
};

const compactNumbers = new Intl.NumberFormat("en", { notation: "compact", maximumFractionDigits: 1 });

/** "641,705 votes, 2.1M members, 1 favorite"; empty if nobody is counted. */
const countsText = ({ scoredBy, members, favorites }: TitleDetails): string =>
  [
    scoredBy && countText(scoredBy, "vote"),
    members && shortCountText(members, "member"),
    favorites && shortCountText(favorites, "favorite"),
  ]
    .filter(Boolean)
    .join(", ");

const shortCountText = (count: number, noun: string): string =>
  count < 1000 ? countText(count, noun) : `${compactNumbers.format(count)} ${noun}s`;

type NextEpisode = { episode: number | null; at: Date };

/** "Episode 5 Wednesday 02:55 UTC", or "Episode 5 on 6 January, 02:55 UTC" for one that airs in more than six days. */
export function toCountdown({ episode, at }: NextEpisode, timeZone: string, now: Date) {
  const leftMs = at.getTime() - now.getTime();
  const when = isFarAhead(leftMs) ? `on ${dayClockText(at, timeZone)}` : weekdayClockText(at, timeZone);
  return {
    label: `${episode === null ? "Next episode" : `Episode ${episode}`} ${when} ${timeZoneLabel(timeZone)}`,
    at: at.toISOString(),
    text: countdownText(leftMs),
  };
}

function airingText(title: TitleDetails, now: Date, timeZone: string): string | null {
  if (title.status === "Currently Airing") return "Airing now";
  if (title.status !== "Not yet aired") return null;
  const until = title.airedFrom === null ? null : daysUntilText(title.airedFrom, now, timeZone);
  if (title.airedFrom === null || until === null) return "Not yet aired";
  return `Premieres ${dateText(title.airedFrom)}, ${until}`;
}

type EpisodePage = {
  episodes: readonly Episode[];
  page: number;
  lastPage: number;
  perPage: number;
  total: number;
};

const stillWidthPx = 192;

/** One page of episodes. A long list also gets its parts, each named by its first and last number. */
export function toEpisodes(found: Outcome<EpisodePage>, seen: Parameters<typeof toEpisode>[1]) {
  if (!found.ok) return { episodes: [], episodePage: null };
  const { episodes, page, lastPage, perPage, total } = found.value;
  const parts = Array.from({ length: lastPage > 1 ? lastPage : 0 }, (_, index) => {
    const [first, last] = [index * perPage + 1, Math.min(total, (index + 1) * perPage)];
    return first === last ? `${first}` : `${first}–${last}`;
  });
  return {
    episodes: episodes.map((episode) => ({
      ...toEpisode(episode, seen),
      still: proxiedPictureUrl(episode.imageUrl, stillWidthPx),
    })),
    episodePage: { page, lastPage, parts },
  };
}

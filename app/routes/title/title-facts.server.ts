import { seasonLabel } from "#app/domain/calendar/calendar.ts";
import { genres, type RatingCode, ratingLabels, type TitleDetails } from "#app/domain/catalog/catalog.ts";
import { externalLabel, externalUrl } from "#app/domain/external-ids/external-ids.ts";
import { browsePath, seasonPath } from "#app/paths.ts";
import { type AiringTexts, dateText, timeZoneLabel } from "#app/routes/views/date-format.server.ts";
import { hasEpisodeCount } from "#app/ui/titles/card.tsx";
import { statuses } from "#app/wire/browse-choices.ts";
import {
  type BrowseQuery,
  emptyBrowseQuery,
  formatBrowseQuery,
  sourceMaterialNames,
  tagSlugOf,
} from "#app/wire/browse-query.server.ts";

/** One line of a title's facts: a name and its values, each of which may link to a page (`to`) or to another site. */
export type Fact = { name: string; values: { text: string; to?: string; url?: string }[] };

const browse = (change: Partial<BrowseQuery>) =>
  browsePath(formatBrowseQuery({ ...emptyBrowseQuery, ...change }));

const studioValues = (names: readonly string[]) =>
  names.map((text) => ({ text, to: browse({ studio: text }) }));
const companyValues = (names: readonly string[]) =>
  names.map((text) => ({ text, to: browse({ company: text }) }));
const tagValues = (names: readonly string[]) =>
  names.map((text) => ({ text, to: browse({ tags: [tagSlugOf(text)] }) }));
const plainValues = (names: readonly string[]) => names.map((text) => ({ text }));
const singleValue = (text: string | null | undefined, to?: string) =>
  text === null || text === undefined ? [] : [to === undefined ? { text } : { text, to }];

function airedText({ airedFrom: from, airedTo: to, type }: TitleDetails): string | null {
  if (from === null) return null;
  if (to === null || to.getTime() === from.getTime()) return dateText(from);
  return type === "Movie" ? dateText(from) : `${dateText(from)} to ${dateText(to)}`;
}

function genreValues(names: readonly string[]) {
  const known = genres.filter((genre) => names.includes(genre));
  return known.map((genre) => ({ text: genre, to: browse({ genres: [genre] }) }));
}

const ratingValues = (rating: RatingCode | null) =>
  rating === null ? [] : singleValue(ratingLabels[rating], browse({ rating }));

function sourceValues(source: string | null) {
  const sourceMaterial = sourceMaterialNames.find((name) => name.toLowerCase() === source?.toLowerCase());
  return singleValue(source, sourceMaterial && browse({ sourceMaterial }));
}

/** Without a link if the announced next episode gives another status than the dates, by which the filter goes. */
function statusValues(status: TitleDetails["status"], statusByDates: TitleDetails["status"]) {
  const known =
    status === statusByDates && Object.values(statuses).find((choice) => choice.status === status);
  return singleValue(status, known ? browse({ status: known.status }) : undefined);
}

type FactsOptions = {
  airing: AiringTexts | null;
  timeZone: string;
  statusByDates: TitleDetails["status"];
};

export function factsOfTitle(title: TitleDetails, { airing, timeZone, statusByDates }: FactsOptions): Fact[] {
  const season =
    title.season === null || title.year === null ? null : { season: title.season, year: title.year };
  const broadcastText =
    airing &&
    `${airing.here} ${timeZoneLabel(timeZone)}${airing.inJapan === null ? "" : ` (${airing.inJapan} in Japan)`}`;
  const facts: Fact[] = [
    {
      name: "Format",
      values: singleValue(title.type, title.type === null ? undefined : browse({ types: [title.type] })),
    },
    { name: "Episodes", values: singleValue(hasEpisodeCount(title) ? String(title.episodes) : null) },
    { name: "Length", values: singleValue(title.duration) },
    { name: "Status", values: statusValues(title.status, statusByDates) },
    { name: "Aired", values: singleValue(airedText(title)) },
    { name: "Season", values: season === null ? [] : singleValue(seasonLabel(season), seasonPath(season)) },
    { name: "Broadcast", values: singleValue(broadcastText) },
    { name: title.studios.length > 1 ? "Studios" : "Studio", values: studioValues(title.studios) },
    { name: "Source", values: sourceValues(title.source) },
    { name: "Age rating", values: ratingValues(title.rating) },
    { name: "Genres", values: genreValues(title.genres) },
    { name: "Themes", values: tagValues(title.themes) },
    { name: "Made for", values: tagValues(title.demographics) },
    { name: "Producers", values: companyValues(title.producers) },
    { name: "Licensed by", values: companyValues(title.licensors) },
    { name: "Also known as", values: plainValues(title.titleSynonyms.slice(0, 8)) },
    {
      name: "On other sites",
      values: title.externalIds.map((id) => ({ text: externalLabel(id), url: externalUrl(id) })),
    },
  ];
  return facts.filter(({ values }) => values.length > 0);
}

import { seasonLabel } from "#app/domain/calendar/calendar.ts";
import { genres, type RatingCode, ratingLabels, type TitleDetails } from "#app/domain/catalog/catalog.ts";
import { browsePath, seasonPath } from "#app/paths.ts";
import { type BrowseQuery, emptyBrowseQuery, formatBrowseQuery } from "#app/ui/browse-query.server.ts";
import { type AiringTexts, dateText, timeZoneLabel } from "#app/ui/date-format.server.ts";

/** One line of the facts of a title: a name, and words that may lead somewhere. */
export type Fact = { name: string; values: { words: string; to?: string; lang?: "ja" }[] };

const browse = (change: Partial<BrowseQuery>) =>
  browsePath(formatBrowseQuery({ ...emptyBrowseQuery, ...change }));

const studioValues = (names: readonly string[]) =>
  names.map((words) => ({ words, to: browse({ studio: words }) }));
const plain = (names: readonly string[]) => names.map((words) => ({ words }));
const one = (words: string | null | undefined, to?: string) =>
  words === null || words === undefined ? [] : [to === undefined ? { words } : { words, to }];

function airedWords({ airedFrom: from, airedTo: to, type }: TitleDetails): string | null {
  if (from === null) return null;
  if (to === null || to.getTime() === from.getTime()) return dateText(from);
  return type === "Movie" ? dateText(from) : `${dateText(from)} to ${dateText(to)}`;
}

function genreValues(names: readonly string[]) {
  const known = genres.filter((genre) => names.includes(genre));
  return known.map((genre) => ({ words: genre, to: browse({ genres: [genre] }) }));
}

const ratingValues = (rating: RatingCode | null) =>
  rating === null ? [] : one(ratingLabels[rating], browse({ rating }));

export function factsOfTitle(anime: TitleDetails, airing: AiringTexts | null, timeZone: string): Fact[] {
  const season =
    anime.season === null || anime.year === null ? null : { season: anime.season, year: anime.year };
  const slot =
    airing &&
    `${airing.here} ${timeZoneLabel(timeZone)}${airing.inJapan === null ? "" : ` (${airing.inJapan} in Japan)`}`;
  const facts: Fact[] = [
    {
      name: "Format",
      values: one(anime.type, anime.type === null ? undefined : browse({ types: [anime.type] })),
    },
    { name: "Episodes", values: one(anime.episodes === null ? null : String(anime.episodes)) },
    { name: "Length", values: one(anime.duration) },
    { name: "Status", values: one(anime.status) },
    { name: "Aired", values: one(airedWords(anime)) },
    { name: "Season", values: season === null ? [] : one(seasonLabel(season), seasonPath(season)) },
    { name: "Broadcast", values: one(slot) },
    { name: anime.studios.length > 1 ? "Studios" : "Studio", values: studioValues(anime.studios) },
    { name: "Source", values: one(anime.source) },
    { name: "Age rating", values: ratingValues(anime.rating) },
    { name: "Genres", values: genreValues(anime.genres) },
    { name: "Themes", values: plain(anime.themes) },
    { name: "Made for", values: plain(anime.demographics) },
    { name: "Producers", values: plain(anime.producers) },
    { name: "Licensed by", values: plain(anime.licensors) },
    { name: "English", values: one(anime.titleEnglish) },
    {
      name: "Japanese",
      values: anime.titleJapanese === null ? [] : [{ words: anime.titleJapanese, lang: "ja" }],
    },
    { name: "Also known as", values: plain(anime.titleSynonyms.slice(0, 8)) },
  ];
  return facts.filter(({ values }) => values.length > 0);
}

import { type AnimeDetails, genres, ratingCodeOf } from "#app/domain/catalog/catalog.ts";
import { type BrowseQuery, emptyBrowse, formatBrowse } from "./browse-query.ts";
import { dateWords, type MomentWords, zoneName } from "./moments.ts";
import { seasonLabel, seasonPath } from "./season-path.ts";

/** One line of the facts of a title: a name, and words that may lead somewhere. */
export type Fact = { name: string; values: { words: string; to?: string; lang?: "ja" }[] };

const browse = (change: Partial<BrowseQuery>) => `/browse${formatBrowse({ ...emptyBrowse, ...change })}`;

const studioValues = (names: readonly string[]) =>
  names.map((words) => ({ words, to: browse({ studio: words }) }));
const plain = (names: readonly string[]) => names.map((words) => ({ words }));
const one = (words: string | null | undefined, to?: string) =>
  words === null || words === undefined ? [] : [to === undefined ? { words } : { words, to }];

function airedWords({ aired_from: from, aired_to: to, type }: AnimeDetails): string | null {
  if (from === null) return null;
  if (to === null || to === from) return dateWords(from);
  return type === "Movie" ? dateWords(from) : `${dateWords(from)} to ${dateWords(to)}`;
}

function genreValues(names: readonly string[]) {
  const known = genres.filter((genre) => names.includes(genre));
  return known.map((genre) => ({ words: genre, to: browse({ genres: [genre] }) }));
}

export function factsOfTitle(anime: AnimeDetails, airing: MomentWords | null, timeZone: string): Fact[] {
  const rating = anime.rating === null ? undefined : ratingCodeOf(anime.rating);
  const season =
    anime.season === null || anime.year === null ? null : { season: anime.season, year: anime.year };
  const slot =
    airing &&
    `${airing.words} ${zoneName(timeZone)}${airing.inJapan === null ? "" : ` (${airing.inJapan} in Japan)`}`;
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
    { name: "Age rating", values: one(anime.rating, rating === undefined ? undefined : browse({ rating })) },
    { name: "Genres", values: genreValues(anime.genres) },
    { name: "Themes", values: plain(anime.themes) },
    { name: "Made for", values: plain(anime.demographics) },
    { name: "Producers", values: plain(anime.producers) },
    { name: "Licensed by", values: plain(anime.licensors) },
    { name: "English", values: one(anime.title_english) },
    {
      name: "Japanese",
      values: anime.title_japanese === null ? [] : [{ words: anime.title_japanese, lang: "ja" }],
    },
    { name: "Also known as", values: plain(anime.title_synonyms.slice(0, 8)) },
  ];
  return facts.filter(({ values }) => values.length > 0);
}

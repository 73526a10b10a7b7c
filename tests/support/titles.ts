import { importRecords, readRecords } from "#app/domain/catalog/catalog.server.ts";

/** Titles for tests, taken in as an operator's file would be. */

type Fields = Record<string, unknown>;

export async function importTitles(records: readonly Fields[], options = { includeAdult: true }) {
  const report = await importRecords(readRecords(chunksOf(records)), options);
  if (report.rejectedCount > 0) throw new Error(`rejected: ${JSON.stringify(report.rejected)}`);
  return report;
}

async function* chunksOf(records: readonly Fields[]) {
  for (const record of records) yield `${JSON.stringify(record)}\n`;
}

const types = ["TV", "Movie", "OVA", "ONA", "Special"];
const genres = ["Action", "Comedy", "Drama", "Fantasy", "Sci-Fi", "Slice of Life"];
const ratings = [
  "G - All Ages",
  "PG - Children",
  "PG-13 - Teens 13 or older",
  "R - 17+ (violence & profanity)",
  "R+ - Mild Nudity",
];
const seasons = ["Winter", "Spring", "Summer", "Fall"];
const days = ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"];
const syllables = ["ka", "mi", "no", "ra", "shi", "to", "ya", "ben", "gu", "rei"];

/** The same for the same number; names are made of syllables and differ. */
export function generatedTitle(number: number): Fields {
  const digits = [...String(number).padStart(5, "0")].map(Number);
  const name = digits.map((digit) => syllables[digit]).join("");
  const pick = <Item>(items: readonly Item[], by: number) => items[Math.floor(number / by) % items.length];
  return {
    kind: "title",
    mal_id: number,
    title: `${name[0]?.toUpperCase()}${name.slice(1)} ${number % 7 === 0 ? "no Uta" : "Monogatari"}`,
    title_english: number % 3 === 0 ? `Song ${number}` : null,
    type: pick(types, 1),
    episodes: 12,
    status: "Finished Airing",
    aired_from: `${1980 + (number % 40)}-04-01T00:00:00Z`,
    aired_to: `${1980 + (number % 40)}-06-30T00:00:00Z`,
    rating: pick(ratings, 3),
    score: number % 10 === 9 ? null : 5 + (number % 400) / 100,
    popularity: number,
    members: Math.max(10, 4_000_000 - number * 100),
    season: pick(seasons, 5),
    year: 1980 + (number % 40),
    broadcast_day: number % 2 === 0 ? pick(days, 2) : null,
    broadcast_time: number % 2 === 0 ? "23:00" : null,
    banner_image: number % 11 === 0 ? "/banner.webp" : null,
    genres: [...new Set([pick(genres, 1), pick(genres, 6)])],
    studios: [`Studio ${number % 50}`],
    themes: [pick(["School", "Space", "Music"], 4)],
    synopsis: "A story. ".repeat(20),
  };
}

export const generatedTitles = (count: number, from = 1): Fields[] =>
  Array.from({ length: count }, (_, index) => generatedTitle(from + index));

/** Generates any number of titles for tests and benchmarks. */

export type Fields = Record<string, unknown>;

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
const syllables = (
  "ka ki ku ke ko sa shi su se so ta chi tsu te to na ni nu ne no ha hi fu he ho ma mi mu me mo ya yu yo " +
  "ra ri ru re ro wa ga gi gu ge go za ji zu da do ba bi bu be bo kyo sho jun ran sen"
).split(" ");

/** Pseudo-random numbers, the same for the same seed. */
function* pseudoRandom(seed: number): Generator<number, never> {
  for (let state = seed * 2_654_435_761; ; ) {
    state = (Math.imul(state ^ (state >>> 15), 0x2c1b3c6d) + 0x6d2b79f5) | 0;
    yield (state ^ (state >>> 13)) >>> 0;
  }
}

/** Two words of three syllables each. Some names continue with “no Monogatari”. */
export function generatedName(number: number): string {
  const numbers = pseudoRandom(number);
  const word = () => [0, 1, 2].map(() => syllables[numbers.next().value % syllables.length]).join("");
  const words = [word(), word(), ...(number % 7 === 0 ? ["no", "Monogatari"] : [])];
  return words.map((one) => one[0]?.toUpperCase() + one.slice(1)).join(" ");
}

/** Returns the same title for the same number. */
export function generatedTitle(number: number): Fields {
  const pick = <Item>(items: readonly Item[], by: number) => items[Math.floor(number / by) % items.length];
  return {
    kind: "title",
    mal_id: number,
    title: generatedName(number),
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

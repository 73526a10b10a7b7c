import type { IdentifiedTitle, NamedTitle } from "#app/domain/catalog/catalog.server.ts";
import type { FilmReading } from "../names/film-name.ts";
import type { FilmId } from "../names/id-tags.ts";
import { type Candidate, type Judgement, judge, type Known } from "../names/judge.ts";

/** Finds the title of a film by the ids that its name, its folder or a file beside it has. */

export type ById = {
  judged: Judgement;
  /** The titles that the ids mean: several where an id means a whole series. */
  malIds: ReadonlySet<number>;
};

/** `named` are the titles that the name of the film could mean. */
export function judgeById(
  titles: readonly IdentifiedTitle[],
  named: readonly Judgement[],
  readings: readonly FilmReading[],
  known: Known,
): ById | null {
  const malIds = new Set(titles.map(({ malId }) => malId));
  const ranked = readings.map((reading, rank) => ({ reading, rank }));
  // A reading whose title is the one of the ids is right; otherwise one that has a number.
  const confirmed = named.find(({ found, name }) => name.isWhole && malIds.has(found.malId));
  const read =
    confirmed ?? ranked.find(({ reading: { first, isOther } }) => first !== null || isOther) ?? ranked[0];
  if (!read) return null;
  const placed = place(titles, read.reading, named);
  if (!placed) return null;
  const candidate: Candidate = {
    found: { ...placed.title, alias: placed.title.title, kind: "title" } satisfies NamedTitle,
    reading: placed.reading,
    rank: 0,
    name: { name: placed.title.title, type: null, isWhole: true, hasSeason: true },
  };
  // The ids decide the title. What the other films of the folder are called says nothing about it.
  const judged = judge(
    { ...candidate, reading: { ...candidate.reading, isShort: false } },
    {
      year: placed.isSeries ? null : known.year,
      highestOf: () => null,
    },
  );
  return { judged, malIds };
}

type Placed = { title: IdentifiedTitle; reading: FilmReading; isSeries: boolean };

function place(
  titles: readonly IdentifiedTitle[],
  reading: FilmReading,
  named: readonly Judgement[],
): Placed | null {
  if (titles.some(({ season }) => season !== null)) return placeInSeason(titles, reading);
  const [title, ...more] = titles;
  // Of several titles under one id without seasons, none can be chosen.
  if (!title || more.length > 0) return null;
  // The id of a series in the name of its folder says nothing of its later seasons.
  const isFirst = named.some(
    ({ found, name }) => found.malId === title.malId && name.isWhole && !name.hasSeason,
  );
  return isFirst ? null : { title, reading, isSeries: false };
}

/** The titles that make up one season of another site follow each other, as the two halves of a year do. */
function placeInSeason(titles: readonly IdentifiedTitle[], reading: FilmReading): Placed | null {
  const { first, last, season } = reading;
  const seasons = new Set(titles.map((title) => title.season));
  if (season === null && seasons.size > 1 && first !== null) return null;
  const parts = titles.filter((title) => season === null || title.season === season);
  let before = 0;
  for (const title of parts) {
    const isLast = title === parts.at(-1);
    // How many episodes come before those of the next part is not known.
    if (title.episodes === null && !isLast) return null;
    if (first === null || isLast || first <= before + (title.episodes ?? 0))
      return {
        title,
        reading: {
          ...reading,
          first: first === null ? null : first - before,
          last: last === null ? null : last - before,
        },
        isSeries: true,
      };
    before += title.episodes ?? 0;
  }
  return null;
}

export const idsText = (ids: readonly FilmId[]) => ids.map(({ site, id }) => `${site} ${id}`).join(", ");

import type { IdentifiedTitle, NamedTitle } from "#app/domain/catalog/catalog.server.ts";
import type { FilmReading } from "../names/film-name.ts";
import type { FilmId } from "../names/id-tags.ts";
import { type FolderFacts, type Judgement, judge, type TitleCandidate } from "../names/judge.ts";

/** Finds a film's title by the ids in its name, in its folder's name or in a note beside it. */

export type ById = {
  judged: Judgement;
  /** The titles that the ids refer to. There are several if an id stands for a whole series. */
  malIds: ReadonlySet<number>;
};

/** `named` are the title candidates found by the film's name. */
export function judgeById(
  titles: readonly IdentifiedTitle[],
  named: readonly Judgement[],
  readings: readonly FilmReading[],
  known: FolderFacts,
): ById | null {
  const malIds = new Set(titles.map(({ malId }) => malId));
  const ranked = readings.map((reading, rank) => ({ reading, rank }));
  // Prefer the reading whose title the ids confirm, then a reading with an episode number.
  const confirmed = named.find(({ found, name }) => name.isWhole && malIds.has(found.malId));
  const read =
    confirmed ?? ranked.find(({ reading: { first, isOther } }) => first !== null || isOther) ?? ranked[0];
  if (!read) return null;
  const placed = place(titles, read.reading, named);
  if (!placed) return null;
  const candidate: TitleCandidate = {
    found: { ...placed.title, alias: placed.title.title, kind: "title" } satisfies NamedTitle,
    reading: placed.reading,
    asRead: read.reading,
    rank: 0,
    name: {
      name: confirmed?.found.malId === placed.title.malId ? confirmed.name.name : placed.title.title,
      type: null,
      isWhole: true,
      hasSeason: true,
    },
  };
  const year = read.reading.year ?? known.year;
  // Sites differ by a year about some titles.
  const isNear = year !== null && Math.abs(year - (placed.title.year ?? year)) <= 1;
  // The ids decide the title, so doubts that come from the other films of the folder do not apply.
  const judged = judge(
    {
      ...candidate,
      reading: { ...candidate.reading, isShort: false, year: isNear ? null : candidate.reading.year },
    },
    {
      year: placed.isSeries || isNear ? null : known.year,
      numbersOf: () => null,
    },
  );
  return { judged, malIds };
}

type Placement = { title: IdentifiedTitle; reading: FilmReading; isSeries: boolean };

function place(
  titles: readonly IdentifiedTitle[],
  reading: FilmReading,
  named: readonly Judgement[],
): Placement | null {
  if (titles.some(({ season }) => season !== null)) return placeInSeason(titles, reading);
  const [title, ...more] = titles;
  // Several titles share the id and have no seasons, so none of them can be chosen.
  if (!title || more.length > 0) return null;
  // The file names a later season. An id in the folder's name is only that of the series, so it does not decide.
  const isLaterSeason = named.some(
    ({ found, name }) => found.malId === title.malId && name.isWhole && !name.hasSeason,
  );
  return isLaterSeason ? null : { title, reading, isSeries: false };
}

/** Titles that together make up one season on another site follow each other, for example two half-year parts. */
function placeInSeason(titles: readonly IdentifiedTitle[], reading: FilmReading): Placement | null {
  const { first, last, season } = reading;
  const seasons = new Set(titles.map((title) => title.season));
  if (season === null && seasons.size > 1 && first !== null) return null;
  const parts = titles.filter((title) => season === null || title.season === season);
  let before = 0;
  for (const title of parts) {
    const isLast = title === parts.at(-1);
    // This part's episode count is unknown, so the offset of the next part is unknown too.
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

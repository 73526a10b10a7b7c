import { minutesIn } from "#app/domain/catalog/catalog.ts";
import { countEach, valuesByKey } from "#app/platform/lists.ts";
import { type EntryStatus, type ListEntry, statusOf } from "./entry.ts";

type Entry = Pick<ListEntry, "type" | "state" | "rewatchCount" | "rewatchProgress" | "score"> & {
  progress: number;
  episodes: number | null;
  genres: readonly string[];
  duration: string | null;
  titleType: string | null;
  year: number | null;
};

/** Entries with something in common, such as a genre. */
export type EntryGroup = {
  name: string;
  count: number;
  meanScore: number | null;
  /** Counted like the `minutes` of the whole list. */
  minutes: number;
};

export type ListSummary = {
  /** The statuses that entries have, each with the number of its entries, as the tabs of the list count them. */
  counts: ReadonlyMap<EntryStatus, number>;
  episodes: number;
  /** The length of all watched episodes, including rewatches. Episodes of unknown length are left out. */
  minutes: number;
  meanScore: number | null;
  /** The scores of the entries that have one. */
  scores: number[];
  genres: EntryGroup[];
  formats: EntryGroup[];
  /** Years of release, in at most ten periods of the same length, without a gap. */
  periods: EntryGroup[];
};

const maxGenres = 10;

export function summarizeList(entries: readonly Entry[]): ListSummary {
  const scores = scoresOf(entries);
  const timed = entries.map(toTimed);
  return {
    counts: countEach(entries.map(statusOf)),
    episodes: entries.reduce((sum, { progress }) => sum + progress, 0),
    minutes: minutesOfAll(timed),
    scores,
    meanScore: meanOf(scores),
    genres: largestFirst(groupsBy(timed, ({ genres }) => genres)).slice(0, maxGenres),
    formats: largestFirst(groupsBy(timed, ({ titleType }) => (titleType === null ? [] : [titleType]))),
    periods: periodsOf(timed),
  };
}

const scoresOf = (entries: readonly Pick<Entry, "score">[]) =>
  entries.map(({ score }) => score).filter((score) => score !== null);

const meanOf = (scores: readonly number[]) =>
  scores.length === 0 ? null : scores.reduce((sum, score) => sum + score, 0) / scores.length;

/** An entry with its minutes, which are read from text once, although the entry is in several groups. */
type TimedEntry = Pick<Entry, "score" | "genres" | "titleType" | "year"> & { minutes: number };

const toTimed = (entry: Entry): TimedEntry => ({
  score: entry.score,
  genres: entry.genres,
  titleType: entry.titleType,
  year: entry.year,
  minutes: minutesOf(entry),
});

const minutesOfAll = (entries: readonly TimedEntry[]) =>
  entries.reduce((sum, { minutes }) => sum + minutes, 0);

function minutesOf({ progress, episodes, rewatchCount, rewatchProgress, duration }: Entry): number {
  const seen = progress + rewatchCount * (episodes ?? progress) + rewatchProgress;
  return seen * (minutesIn(duration) ?? 0);
}

function groupsBy(
  entries: readonly TimedEntry[],
  namesOf: (entry: TimedEntry) => readonly string[],
): EntryGroup[] {
  const groups = valuesByKey(
    entries.flatMap((entry) => namesOf(entry).map((name) => [name, entry] as const)),
  );
  return [...groups].map(([name, group]) => toGroup(name, group));
}

const toGroup = (name: string, group: readonly TimedEntry[]): EntryGroup => ({
  name,
  count: group.length,
  meanScore: meanOf(scoresOf(group)),
  minutes: minutesOfAll(group),
});

const largestFirst = (groups: readonly EntryGroup[]) =>
  groups.toSorted((a, b) => b.count - a.count || a.name.localeCompare(b.name));

const maxPeriods = 10;

function periodsOf(entries: readonly TimedEntry[]): EntryGroup[] {
  const years = entries.map(({ year }) => year).filter((year) => year !== null);
  if (years.length === 0) return [];
  const first = years.reduce((a, b) => Math.min(a, b));
  const last = years.reduce((a, b) => Math.max(a, b));
  const countOf = (length: number) => Math.floor(last / length) - Math.floor(first / length) + 1;
  const length = [1, 2, 5, 10, 20].find((length) => countOf(length) <= maxPeriods) ?? 50;
  return Array.from({ length: countOf(length) }, (_, index) => {
    const from = (Math.floor(first / length) + index) * length;
    const to = from + length - 1;
    const group = entries.filter(({ year }) => year !== null && year >= from && year <= to);
    return toGroup(length === 1 ? `${from}` : `${from}–${to}`, group);
  });
}

import type { EntryGroup, ListSummary } from "#app/domain/library/library.server.ts";
import {
  countScores,
  entryStates,
  listStatusChoices,
  meanScoreText,
  type ScoreFormat,
} from "#app/domain/library/library.ts";
import { type ListQuery, listQueryPath, listStatusPath } from "#app/wire/list-query.ts";

/** The statistics of a member's list as texts: numbers, and charts of the titles that they watch. */

const countText = (count: number) => count.toLocaleString("en");

/** Short enough for its box on a phone: "45 min", "15 h", "3 d 4 h". */
function timeText(minutes: number): string {
  const hours = Math.floor(minutes / 60);
  if (hours < 24) return hours === 0 ? `${minutes} min` : `${hours} h`;
  return `${Math.floor(hours / 24)} d ${hours % 24} h`;
}

type NamedNumber = { label: string; path?: string; text: string };

/** The counts of statuses come first, as in the tabs of the list: a state has a number only while an entry has it. */
export const toNumbers = ({ counts, episodes, minutes }: ListSummary): NamedNumber[] => [
  ...listStatusChoices()
    .map(({ value, label }) => ({ value, label, count: counts.get(value) ?? 0 }))
    .filter(({ value, count }) => count > 0 || !entryStates.some((state) => state === value))
    .map(({ value, label, count }) => ({ label, path: listStatusPath(value), text: countText(count) })),
  { label: "Episodes seen", text: countText(episodes) },
  { label: "Time, about", text: timeText(minutes) },
];

/** A row of the chart's table, and its bar. */
export type ChartRow = {
  name: string;
  /** A shorter name, for the label below an upright bar. */
  shortName?: string;
  count: number;
  /** The list with these titles alone. */
  path?: string;
  /** One text for each column except the first. */
  cells: string[];
};

export type ChartData = {
  id: string;
  title: string;
  note?: string;
  /** `columns` are vertical, for values with a natural order. `bars` are horizontal, the longest first. */
  shape: "columns" | "bars";
  columns: string[];
  rows: ChartRow[];
};

export function toCharts(
  { meanScore, scores, genres, formats, periods }: ListSummary,
  scoreFormat: ScoreFormat,
): ChartData[] {
  const rowsOf = (
    groups: readonly EntryGroup[],
    filterOf: (name: string) => Partial<ListQuery> | undefined,
  ) => ({
    rows: groups.map((group) => toGroupRow(group, scoreFormat, filterOf(group.name))),
  });
  const columnsFor = (noun: string) => ({ columns: [noun, "Titles", "Mean score", "Time"] });
  const charts: ChartData[] = [
    {
      id: "genres",
      title: "Genres in my list",
      shape: "bars",
      ...columnsFor("Genre"),
      ...rowsOf(genres, (genre) => ({ genre })),
    },
    {
      id: "years",
      title: "Years of release",
      shape: "columns",
      ...columnsFor("Years"),
      // Only a single year links to the list, which cannot be filtered by several years.
      ...rowsOf(periods, (years) => (/^\d+$/.test(years) ? { year: Number(years) } : undefined)),
    },
    {
      id: "formats",
      title: "Formats",
      shape: "bars",
      ...columnsFor("Format"),
      ...rowsOf(formats, (format) => ({ format })),
    },
  ];
  return [
    ...(meanScore === null ? [] : [scoreChart(meanScore, scores, scoreFormat)]),
    ...charts.filter(({ rows }) => rows.length > 0),
  ];
}

const scoreChart = (meanScore: number, scores: readonly number[], format: ScoreFormat): ChartData => ({
  id: "scores",
  title: "My scores",
  note: `Mean ${meanScoreText(meanScore, format)}`,
  shape: "columns",
  columns: [format === "stars" ? "Stars" : "Score", "Titles"],
  rows: countScores(scores, format).map((count, index) => ({
    name: `${index + 1}`,
    count,
    cells: [countText(count)],
  })),
});

function toGroupRow(
  { name, count, meanScore, minutes }: EntryGroup,
  scoreFormat: ScoreFormat,
  filter: Partial<ListQuery> | undefined,
): ChartRow {
  const mean = meanScore === null ? "–" : meanScoreText(meanScore, scoreFormat);
  return {
    name,
    ...(/^\d{4}–/.test(name) && { shortName: name.slice(0, 4) }),
    count,
    ...(filter && count > 0 && { path: listQueryPath({ order: "updated", page: 1, ...filter }) }),
    cells: [countText(count), mean, timeText(minutes)],
  };
}

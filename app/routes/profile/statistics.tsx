import { Link } from "react-router";
import type { EntryGroup, ListSummary } from "#app/domain/library/library.server.ts";
import type { EntryStatus } from "#app/domain/library/library.ts";
import { Count } from "#app/ui/count.tsx";
import { type ListQuery, listStatePath, listStatusPath } from "#app/ui/list-query.ts";
import { Bars, Chart, ChartTable, Columns } from "./charts.tsx";

/** What a member's list says of them: numbers, and drawings of what they watch. */

type Props = {
  stats: Omit<ListSummary, "counts">;
  statuses: readonly { status: EntryStatus; label: string; count: number }[];
};

const countText = (count: number) => count.toLocaleString("en");

/** Short enough for its box on a phone: "45 min", "15 h", "3 d 4 h". */
function timeText(minutes: number): string {
  const hours = Math.floor(minutes / 60);
  if (hours < 24) return hours === 0 ? `${minutes} min` : `${hours} h`;
  return `${Math.floor(hours / 24)} d ${hours % 24} h`;
}

export const Numbers = ({ statuses, stats: { episodes, minutes } }: Props) => (
  <section aria-label="Statistics">
    <dl className="numbers">
      {statuses.map(({ status, label, count }) => (
        <Count key={status} label={<Link to={listStatusPath(status)}>{label}</Link>}>
          {countText(count)}
        </Count>
      ))}
      <Count label="Episodes seen">{countText(episodes)}</Count>
      <Count label="Time watched">{timeText(minutes)}</Count>
    </dl>
  </section>
);

export function Charts({ stats: { meanScore, scores, genres, formats, periods } }: Pick<Props, "stats">) {
  const byScore = scores.map((count, index) => ({ name: `${index + 1}`, count }));
  return (
    <div className="charts">
      {meanScore !== null && (
        <Chart
          id="scores"
          title="My scores"
          note={`Mean ${meanScore.toFixed(1)}`}
          table={
            <ChartTable
              columns={["Score", "Titles"]}
              rows={byScore.map(({ name, count }) => ({ name, cells: [countText(count)] }))}
            />
          }
        >
          <Columns items={byScore} />
        </Chart>
      )}
      {genres.length > 0 && (
        <Chart
          id="genres"
          title="Genres in my list"
          table={<GroupTable noun="Genre" groups={genres} filterOf={({ name }) => ({ genre: name })} />}
        >
          <Bars items={genres} />
        </Chart>
      )}
      {periods.length > 0 && (
        <Chart
          id="years"
          title="Years of release"
          table={<GroupTable noun="Years" groups={periods} filterOf={yearFilterOf} />}
        >
          <Columns items={periods} labelOf={({ name }) => name.slice(0, 4)} />
        </Chart>
      )}
      {formats.length > 0 && (
        <Chart
          id="formats"
          title="Formats"
          table={<GroupTable noun="Format" groups={formats} filterOf={({ name }) => ({ format: name })} />}
        >
          <Bars items={formats} />
        </Chart>
      )}
    </div>
  );
}

/** The list is filtered by one year alone. */
const yearFilterOf = ({ name }: EntryGroup) => (/^\d+$/.test(name) ? { year: Number(name) } : undefined);

type GroupTableProps = {
  noun: string;
  groups: readonly EntryGroup[];
  filterOf: (group: EntryGroup) => Partial<ListQuery> | undefined;
};

function GroupTable({ noun, groups, filterOf }: GroupTableProps) {
  return (
    <ChartTable
      columns={[noun, "Titles", "Mean score", "Time"]}
      rows={groups.map((group) => {
        const filter = group.count > 0 ? filterOf(group) : undefined;
        return {
          name: group.name,
          ...(filter && { path: listStatePath({ order: "updated", page: 1, ...filter }) }),
          cells: [countText(group.count), group.meanScore?.toFixed(1) ?? "–", timeText(group.minutes)],
        };
      })}
    />
  );
}

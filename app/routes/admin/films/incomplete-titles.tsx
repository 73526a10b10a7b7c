import { AdminTable, TitleCell } from "../admin-page.tsx";

/** Titles that have films for some of their episodes and not for others. */

type Props = {
  titles: readonly {
    malId: number;
    title: string;
    path: string;
    episodes: number | null;
    missing: readonly number[];
  }[];
};

export function IncompleteTitles({ titles }: Props) {
  if (titles.length === 0) return null;
  return (
    <section aria-labelledby="incomplete">
      <h2 id="incomplete">Missing episodes</h2>
      <AdminTable label="Missing episodes" columns={["Title", "Not here"]}>
        {titles.map(({ malId, title, path, episodes, missing }) => (
          <tr key={malId}>
            <TitleCell title={title} path={path} />
            <td>{missingText(missing, episodes)}</td>
          </tr>
        ))}
      </AdminTable>
    </section>
  );
}

/** [7, 9, 10, 11] of 12: "7 and 9 to 11 of 12". */
export function missingText(missing: readonly number[], episodes: number | null): string {
  const runs: [first: number, last: number][] = [];
  for (const episode of missing) {
    const run = runs.at(-1);
    if (run && run[1] === episode - 1) run[1] = episode;
    else runs.push([episode, episode]);
  }
  const texts = runs.flatMap(([first, last]) =>
    last - first > 1 ? [`${first} to ${last}`] : first === last ? [`${first}`] : [`${first}`, `${last}`],
  );
  const before = texts.slice(0, -1).join(", ");
  const text = `${before}${before && " and "}${texts.at(-1) ?? ""}`;
  return episodes === null ? text : `${text} of ${episodes}`;
}

import { Link } from "#app/ui/link.tsx";
import type { ChartData, ChartRow } from "./statistics.server.ts";

/** Drawings of numbers, each with the same numbers as a table behind it. They are SVG, so they need no script. */

export const Chart = ({ chart: { id, title, note, shape, columns, rows } }: { chart: ChartData }) => (
  <section aria-labelledby={id}>
    <h2 id={id}>{title}</h2>
    {note !== undefined && <p className="quiet numeric">{note}</p>}
    {shape === "columns" ? <Columns rows={rows} /> : <Bars rows={rows} />}
    <details className="chart-table">
      <summary className="link">
        As a table<span className="visually-hidden">: {title}</span>
      </summary>
      <ChartTable columns={columns} rows={rows} />
    </details>
  </section>
);

type RowsProps = { rows: readonly ChartRow[] };

const maxOf = (rows: readonly ChartRow[]) => Math.max(1, ...rows.map(({ count }) => count));

const columnWidth = 32;

function Columns({ rows }: RowsProps) {
  const most = maxOf(rows);
  return (
    <svg className="chart" viewBox={`0 0 ${10 * columnWidth} 128`} aria-hidden="true">
      {rows.map(({ name, shortName = name, count }, index) => {
        const x = index * columnWidth;
        const height = count === 0 ? 0 : Math.max(2, (count / most) * 88);
        return (
          <g key={name}>
            <rect x={x + 4} y={104 - height} width={columnWidth - 8} height={height} rx={3} />
            {count > 0 && (
              <text x={x + columnWidth / 2} y={99 - height} textAnchor="middle">
                {count}
              </text>
            )}
            <text x={x + columnWidth / 2} y={122} textAnchor="middle">
              {shortName}
            </text>
          </g>
        );
      })}
    </svg>
  );
}

const rowHeight = 22;
const longestBar = 180;

function Bars({ rows }: RowsProps) {
  const most = maxOf(rows);
  return (
    <svg className="chart" viewBox={`0 0 320 ${rows.length * rowHeight}`} aria-hidden="true">
      {rows.map(({ name, count }, index) => {
        const middle = index * rowHeight + rowHeight / 2;
        const width = Math.max(2, (count / most) * longestBar);
        return (
          <g key={name}>
            <text x={0} y={middle + 4}>
              {name}
            </text>
            <rect x={98} y={middle - 4} width={width} height={8} rx={4} />
            <text x={98 + width + 8} y={middle + 4}>
              {count}
            </text>
          </g>
        );
      })}
    </svg>
  );
}

const ChartTable = ({ columns, rows }: RowsProps & { columns: readonly string[] }) => (
  <table>
    <thead>
      <tr>
        {columns.map((column) => (
          <th key={column} scope="col">
            {column}
          </th>
        ))}
      </tr>
    </thead>
    <tbody>
      {rows.map(({ name, path, cells }) => (
        <tr key={name}>
          <th scope="row">{path === undefined ? name : <Link to={path}>{name}</Link>}</th>
          {cells.map((cell, index) => (
            <td key={columns[index + 1]}>{cell}</td>
          ))}
        </tr>
      ))}
    </tbody>
  </table>
);

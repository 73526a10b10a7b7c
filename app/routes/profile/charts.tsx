import type { ReactNode } from "react";
import { Link } from "react-router";

/** Drawings of numbers, each with the same numbers as a table behind it. They are SVG, so they need no script. */

type Count = { name: string; count: number };

type ChartProps = { id: string; title: string; note?: string | null; table: ReactNode; children: ReactNode };

export const Chart = ({ id, title, note, table, children }: ChartProps) => (
  <section aria-labelledby={id}>
    <h2 id={id}>{title}</h2>
    {note != null && <p className="quiet numeric">{note}</p>}
    {children}
    <details className="chart-table">
      <summary className="link">
        As a table<span className="visually-hidden">: {title}</span>
      </summary>
      {table}
    </details>
  </section>
);

const maxOf = (items: readonly Count[]) => Math.max(1, ...items.map(({ count }) => count));

const columnWidth = 32;

/** Upright bars, for what has an order of its own. `labelOf` shortens a name to what fits below its bar. */
export function Columns({
  items,
  labelOf = ({ name }) => name,
}: {
  items: readonly Count[];
  labelOf?: (item: Count) => string;
}) {
  const most = maxOf(items);
  return (
    <svg className="chart" viewBox={`0 0 ${10 * columnWidth} 128`} aria-hidden="true">
      {items.map((item, index) => {
        const [x, height] = [index * columnWidth, Math.max(2, (item.count / most) * 88)];
        return (
          <g key={item.name}>
            <rect x={x + 4} y={104 - height} width={columnWidth - 8} height={height} rx={3} />
            {item.count > 0 && (
              <text x={x + columnWidth / 2} y={99 - height} textAnchor="middle">
                {item.count}
              </text>
            )}
            <text x={x + columnWidth / 2} y={122} textAnchor="middle">
              {labelOf(item)}
            </text>
          </g>
        );
      })}
    </svg>
  );
}

const rowHeight = 22;
const longestBar = 180;

/** Lying bars, the longest first. */
export function Bars({ items }: { items: readonly Count[] }) {
  const most = maxOf(items);
  return (
    <svg className="chart" viewBox={`0 0 320 ${items.length * rowHeight}`} aria-hidden="true">
      {items.map(({ name, count }, index) => {
        const [middle, width] = [index * rowHeight + rowHeight / 2, Math.max(2, (count / most) * longestBar)];
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

type Row = {
  name: string;
  /** The list with these titles alone. */
  path?: string;
  /** One for each column but the first. */
  cells: readonly string[];
};

export const ChartTable = ({ columns, rows }: { columns: readonly string[]; rows: readonly Row[] }) => (
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

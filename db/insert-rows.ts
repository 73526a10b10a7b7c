import { getTableColumns, type InferInsertModel, type SQL, sql } from "drizzle-orm";
import type { PgTable } from "drizzle-orm/pg-core";

/**
 * Inserts many rows with one parameter. A statement with a parameter for each value takes longer to build than the rest
 * of an import, and PostgreSQL accepts only 65,535 of them. All rows must have the same columns as the first one.
 */
export function insertRows<Table extends PgTable>(
  table: Table,
  rows: readonly InferInsertModel<Table>[],
  onConflict: SQL = sql``,
): SQL {
  const columns = getTableColumns(table);
  const names = Object.keys(rows[0] ?? {}).map((name) => [name, columns[name]?.name ?? name] as const);
  const values = rows.map((row: Record<string, unknown>) =>
    Object.fromEntries(names.map(([name, column]) => [column, row[name] ?? null])),
  );
  const listed = sql.join(
    names.map(([, column]) => sql.identifier(column)),
    sql`, `,
  );
  return sql`
    insert into ${table} (${listed}) select ${listed}
      from json_populate_recordset(null::${table}, ${JSON.stringify(values)}::text::json) ${onConflict}`;
}

import { sql } from "drizzle-orm";
import type { Rows } from "#app/platform/process/stored-rows.ts";

/** Writes the pieces of a member's file one after another, so that only one is in memory and no statement takes long. */
export async function inPieces<Row extends object>(
  rows: Rows<Row>,
  write: (piece: readonly Row[]) => Promise<{ length: number }>,
): Promise<number> {
  let written = 0;
  for await (const piece of rows.pieces()) written += (await write(piece)).length;
  return written;
}

/** A piece as the records of a statement, for `jsonb_to_recordset`. */
export const personRecordsOf = (rows: readonly object[]) => sql`${JSON.stringify(rows)}::text::jsonb`;

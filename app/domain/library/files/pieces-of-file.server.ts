import { sql } from "drizzle-orm";
import { malIdsOf } from "#app/domain/mal-ids.ts";
import type { Rows } from "#app/platform/process/stored-rows.ts";
import type { Transaction } from "#db/client.server.ts";
import { lockExistingTitles } from "../list/list-rows.server.ts";

/** Writes the pieces of a member's file one after another, so that only one is in memory and no statement takes long. */
export async function inPieces<Row extends object>(
  rows: Rows<Row>,
  write: (piece: readonly Row[]) => Promise<{ length: number }>,
): Promise<number> {
  let written = 0;
  for await (const piece of rows.pieces()) written += (await write(piece)).length;
  return written;
}

/** For rows of titles. Without the lock, the import would fail if a title were replaced while its rows are written. */
export const inPiecesOfTitles = <Row extends { malId: number }>(
  transaction: Transaction,
  rows: Rows<Row>,
  write: (piece: readonly Row[]) => Promise<{ length: number }>,
): Promise<number> =>
  inPieces(rows, async (piece) => {
    await lockExistingTitles(transaction, malIdsOf(piece));
    return write(piece);
  });

/** A piece as the records of a statement, for `jsonb_to_recordset`. */
export const personRecordsOf = (rows: readonly object[]) => sql`${JSON.stringify(rows)}::text::jsonb`;

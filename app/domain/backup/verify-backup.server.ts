import { done, type Outcome, refuse } from "#app/domain/errors.ts";
import { isPictureOf } from "#app/domain/images/images.server.ts";
import { migrations, tableNames } from "#db/migrate.ts";
import {
  type BackupFrame,
  type BackupHead,
  BrokenBackup,
  type FrameWithPayload,
  formatVersion,
  notABackupText,
  openFrames,
} from "./backup-format.server.ts";

/** Reads a whole backup without a database. A restore does this first, so that a damaged file touches nothing. */

type BackupEnd = Extract<BackupFrame, { kind: "end" }>;
type BackupContents = {
  madeAt: string;
  migrations: string[];
  tables: Record<string, number>;
  rows: number;
  pictures: number;
  /** False: an older version wrote the backup, without a checksum of the content. */
  hasChecksum: boolean;
};

export async function verifyBackup(file: string): Promise<Outcome<BackupContents>> {
  try {
    const { frames, close } = await openFrames(file);
    return done(await readAll(frames).finally(close));
  } catch (error) {
    if (error instanceof BrokenBackup) return refuse("invalid", error.message);
    throw error;
  }
}

async function readAll(frames: AsyncGenerator<FrameWithPayload>): Promise<BackupContents> {
  const head = await readBackupHead(frames);
  const tables: Record<string, number> = Object.fromEntries(head.tables.map(({ name }) => [name, 0]));
  let pictures = 0;
  let end: BackupEnd | undefined;
  for await (const { frame, payload } of frames) {
    if (frame.kind === "rows") tables[frame.table] = rowsOf(tables, frame.table) + countRows(payload);
    else if (frame.kind === "picture") {
      if (!isPictureOf(frame.cid, payload)) throw new BrokenBackup("A picture in the backup is damaged");
      pictures += 1;
    } else if (frame.kind === "end") end = checkCounts(frame, tables, pictures);
    else throw new BrokenBackup("The backup is damaged: it begins twice");
  }
  if (!end) throw new BrokenBackup("The backup is incomplete: it has no end");
  const rows = Object.values(tables).reduce((sum, count) => sum + count, 0);
  return {
    madeAt: head.madeAt,
    migrations: head.migrations,
    tables,
    rows,
    pictures,
    hasChecksum: end.sha256 !== undefined,
  };
}

export async function readBackupHead(frames: AsyncGenerator<FrameWithPayload>): Promise<BackupHead> {
  const first = await frames.next();
  const head = first.done ? undefined : first.value.frame;
  if (head?.kind !== "backup") throw new BrokenBackup(notABackupText);
  const unknown = head.migrations.find((name) => !migrations.some((one) => one.name === name));
  if (head.version > formatVersion || unknown !== undefined)
    throw new BrokenBackup(
      `A newer version of Engawa wrote this backup${unknown ? ` (with migration ${unknown})` : ""}; update Engawa first`,
    );
  const names = head.tables.map(({ name }) => name);
  const foreign = names.find((name, at) => !tableNames.includes(name) || names.indexOf(name) !== at);
  if (foreign !== undefined)
    throw new BrokenBackup(`The backup has a table that Engawa does not have: ${foreign}`);
  return head;
}

function rowsOf(tables: Record<string, number>, table: string): number {
  const rows = Object.hasOwn(tables, table) ? tables[table] : undefined;
  if (rows === undefined) throw new BrokenBackup(`The backup has rows of an unknown table: ${table}`);
  return rows;
}

/** COPY writes one line for each row, and writes a line break inside a value as two characters. */
function countRows(payload: Buffer): number {
  let rows = 0;
  for (let at = payload.indexOf(10); at >= 0; at = payload.indexOf(10, at + 1)) rows += 1;
  return rows;
}

function checkCounts(end: BackupEnd, tables: Record<string, number>, pictures: number): BackupEnd {
  for (const table of new Set([...Object.keys(tables), ...Object.keys(end.rows)]))
    if (tables[table] !== end.rows[table])
      throw new BrokenBackup(`The backup is missing rows of the table ${table}`);
  if (pictures !== end.pictures) throw new BrokenBackup("The backup is missing pictures");
  return end;
}

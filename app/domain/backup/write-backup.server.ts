import { createHash } from "node:crypto";
import { createWriteStream } from "node:fs";
import { mkdir, open, rename, rm } from "node:fs/promises";
import { dirname } from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { createGzip } from "node:zlib";
import type postgres from "postgres";
import { findStoredPicture } from "#app/domain/images/images.server.ts";
import { log } from "#app/platform/log.server.ts";
import { CannotStart } from "#app/platform/process/cannot-start.server.ts";
import { connectAlone } from "#db/client.server.ts";
import { tableNames } from "#db/migrate.ts";
import { giveToSite } from "./backup-folder.server.ts";
import {
  encodeFrameLine,
  formatName,
  formatVersion,
  quoteIdentifier,
  type TableHeader,
} from "./backup-format.server.ts";

/** Writes every table, all from one database snapshot, and the stored pictures that the rows refer to. */

/** Tables whose rows are useless after a restore. A device that waits to be signed in asks for another code. */
const tablesLeftOut = new Set(["device_codes", "device_code_guesses"]);
const tablesToWrite = tableNames.filter((name) => !tablesLeftOut.has(name));

type BackupReport = { file: string; rows: number; pictures: number; missingPictures: number };
type Sql = postgres.TransactionSql;

export async function writeBackup(file: string, { pictures = true } = {}): Promise<BackupReport> {
  const unfinished = `${file}.unfinished`;
  const report: BackupReport = { file, rows: 0, pictures: 0, missingPictures: 0 };
  const sql = await connectAlone("backup");
  if (!(await isOnlyWriter(sql, file))) {
    await sql.end({ timeout: 5 });
    throw new CannotStart(
      `Another backup is being written to ${file}. Wait until it ends, or name another file.`,
    );
  }
  let firstError: unknown;
  try {
    await mkdir(dirname(file), { recursive: true, mode: 0o700 });
    await sql.begin("isolation level repeatable read read only", (snapshot) => {
      const content = Readable.from(checkedContentOf(snapshot, report, pictures), {
        objectMode: false,
      });
      const output = createWriteStream(unfinished, { mode: 0o600 });
      return pipeline(content, createGzip({ level: 6 }), output).catch((error) => {
        firstError = error;
        throw error;
      });
    });
    await flush(unfinished);
    await rename(unfinished, file);
    await giveToSite(file);
  } catch (error) {
    await rm(unfinished, { force: true });
    // A COPY in progress cannot be rolled back, and the error about that would hide the first one, such as a full disk.
    throw firstError ?? error;
  } finally {
    await sql.end({ timeout: 5 });
  }
  return report;
}

/** Two writers of one file would mix their bytes. PostgreSQL releases the lock when the connection closes. */
async function isOnlyWriter(sql: postgres.Sql, file: string): Promise<boolean> {
  const [row] = await sql<{ held: boolean }[]>`
    select pg_try_advisory_lock(hashtextextended(${`backup to ${file}`}, 0)) as held`;
  return row?.held ?? false;
}

/** Adds the end line with the checksum of everything before it. gzip's checksum is lost when a file is packed again. */
async function* checkedContentOf(
  sql: Sql,
  report: BackupReport,
  withPictures: boolean,
): AsyncGenerator<Buffer> {
  const sum = createHash("sha256");
  const rows: Record<string, number> = {};
  for await (const bytes of contentOf(sql, report, rows, withPictures)) {
    sum.update(bytes);
    yield bytes;
  }
  yield encodeFrameLine({ kind: "end", rows, pictures: report.pictures, sha256: sum.digest("hex") });
}

async function* contentOf(
  sql: Sql,
  report: BackupReport,
  rows: Record<string, number>,
  withPictures: boolean,
): AsyncGenerator<Buffer> {
  const tables = await tablesOf(sql);
  const applied = await sql<{ name: string }[]>`select name from schema_migrations order by name`;
  yield encodeFrameLine({
    kind: "backup",
    format: formatName,
    version: formatVersion,
    madeAt: new Date().toISOString(),
    migrations: applied.map(({ name }) => name),
    tables,
  });
  for (const table of tables) {
    yield* rowsOf(sql, table);
    const [found] = await sql.unsafe<{ count: number }[]>(
      `select count(*)::int as count from ${quoteIdentifier(table.name)}`,
    );
    rows[table.name] = found?.count ?? 0;
    report.rows += found?.count ?? 0;
  }
  if (withPictures) yield* picturesOf(sql, report);
}

async function* rowsOf(sql: Sql, { name, columns }: TableHeader) {
  const copy = `copy ${quoteIdentifier(name)} (${columns.map(quoteIdentifier).join(", ")}) to stdout`;
  for await (const chunk of await sql.unsafe(copy).readable()) {
    const bytes = chunk as Buffer;
    yield encodeFrameLine({ kind: "rows", table: name, bytes: bytes.length });
    yield bytes;
  }
}

async function* picturesOf(sql: Sql, report: BackupReport) {
  const stored = await sql<{ cid: string }[]>`select cid from stored_images order by cid`;
  for (const { cid } of stored) {
    const picture = await findStoredPicture(cid);
    if (!picture) {
      report.missingPictures += 1;
      log.warn("a stored picture is missing and not in the backup", { cid });
      continue;
    }
    report.pictures += 1;
    yield encodeFrameLine({ kind: "picture", cid, bytes: picture.bytes.length });
    yield picture.bytes;
  }
}

/**
 * Lists only our tables, without generated columns, which COPY cannot write. A table comes after the tables that its
 * foreign keys refer to. In another order, the restore would violate the keys.
 */
async function tablesOf(sql: Sql): Promise<TableHeader[]> {
  const tables = await sql<{ name: string; columns: string[]; needs: string[] }[]>`
    select c.relname as name,
      array(select a.attname::text from pg_attribute a where a.attrelid = c.oid and a.attnum > 0
        and not a.attisdropped and a.attgenerated = '' order by a.attnum) as columns,
      array(select distinct f.relname::text from pg_constraint r join pg_class f on f.oid = r.confrelid
        where r.conrelid = c.oid and r.contype = 'f' and f.oid <> c.oid) as needs
    from pg_class c
    where c.relkind = 'r' and c.relnamespace = current_schema()::regnamespace and c.relname = any (${tablesToWrite})
    order by c.relname`;
  const ordered: TableHeader[] = [];
  for (let remaining = [...tables]; remaining.length > 0; ) {
    const ready = remaining.filter(({ needs }) =>
      needs.every((one) => ordered.some(({ name }) => name === one)),
    );
    if (ready.length === 0) throw new Error("the foreign keys of the tables form a cycle");
    ordered.push(...ready.map(({ name, columns }) => ({ name, columns })));
    remaining = remaining.filter((table) => !ready.includes(table));
  }
  return ordered;
}

async function flush(file: string) {
  const handle = await open(file, "r+");
  await handle.sync();
  await handle.close();
}

import type { Writable } from "node:stream";
import { finished } from "node:stream/promises";
import type postgres from "postgres";
import { renewCatalogIdentity } from "#app/domain/catalog-version/catalog-version.server.ts";
import { done, type Outcome, refuse } from "#app/domain/errors.ts";
import { restorePictureBytes } from "#app/domain/images/images.server.ts";
import { explainFileError } from "#app/platform/process/cannot-start.server.ts";
import { env } from "#app/platform/process/env.server.ts";
import { minutes } from "#app/platform/units.ts";
import { connectAlone } from "#db/client.server.ts";
import { DatabaseUnavailable } from "#db/database-errors.server.ts";
import { createTables, migrations, tableNames, tablesCreatedBy } from "#db/migrate.ts";
import { keepSitesAway } from "#db/site-lock.server.ts";
import {
  type BackupHead,
  BrokenBackup,
  type FrameWithPayload,
  openFrames,
  quoteIdentifier,
} from "./backup-format.server.ts";
import { renewDerivedData } from "./derived-data.server.ts";
import { readBackupHead, verifyBackup } from "./verify-backup.server.ts";

/**
 * Replaces everything in the database with a backup, in one transaction, so that nothing changes if anything is wrong.
 * The whole file is verified before the database is touched.
 */

type RestoreReport = { rows: number; pictures: number; madeAt: string };
type Sql = postgres.TransactionSql;

const siteRunsText =
  "The site runs on this database, or another restore does. Stop the site first (Ctrl-C, or: systemctl stop engawa), restore, and start it again";

export async function restoreBackup(
  file: string,
  { replace }: { replace: boolean },
): Promise<Outcome<RestoreReport>> {
  const verified = await verifyBackup(file);
  if (!verified.ok) return verified;
  const sql = await connectAlone("restore");
  try {
    if (!(await keepSitesAway(sql))) return refuse("conflict", siteRunsText);
    const foreign = await listForeignTables(sql);
    if (foreign.length > 0)
      return refuse(
        "conflict",
        `The database has tables of another program with the names of Engawa's: ${foreign.join(", ")}. Use a database of its own for Engawa`,
      );
    if (!replace && (await hasAccounts(sql)))
      return refuse(
        "conflict",
        "The database already has accounts; use --replace to replace everything in it with the backup",
      );
    const restored = await restoreVerified(sql, file);
    await renewDerivedData();
    await renewCatalogIdentity();
    return done(restored);
  } catch (error) {
    if (error instanceof BrokenBackup) return refuse("invalid", error.message);
    throw error;
  } finally {
    await sql.end({ timeout: 5 });
  }
}

/**
 * The tables that the restore would delete although another program created them: the migration that creates a table of
 * this name never ran here. Another program's record of migrations has no digests.
 */
async function listForeignTables(sql: postgres.Sql): Promise<string[]> {
  const [record] = await sql`
    select from pg_attribute where attrelid = to_regclass('schema_migrations') and attname = 'digest'`;
  const applied = record ? await sql<{ name: string }[]>`select name from schema_migrations` : [];
  const ran = new Set(applied.map(({ name }) => name));
  const notCreated = migrations.filter(({ name }) => !ran.has(name)).flatMap(tablesCreatedBy);
  const found = await sql<{ name: string }[]>`
    select name from unnest(${record ? notCreated : [...notCreated, "schema_migrations"]}::text[]) as name
    where to_regclass(quote_ident(name)) is not null`;
  return found.map(({ name }) => name);
}

async function hasAccounts(sql: postgres.Sql): Promise<boolean> {
  const [found] = await sql<{ users: string | null }[]>`select to_regclass('users')::text as users`;
  if (!found?.users) return false;
  const [row] = await sql<{ any: boolean }[]>`select exists (select from users) as any`;
  return row?.any ?? false;
}

/** A step that takes longer fails the restore, because the database or the network no longer responds. */
const maxStepMs = minutes(10);

async function restoreVerified(sql: postgres.Sql, file: string): Promise<RestoreReport> {
  const { frames, close } = await openFrames(file);
  let timer: NodeJS.Timeout | undefined;
  const silence = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new DatabaseUnavailable("no answer in time")), maxStepMs);
  });
  const restoring = sql.begin(async (transaction) => load(transaction, frames, () => timer?.refresh()));
  try {
    return (await Promise.race([restoring, silence])) as RestoreReport;
  } finally {
    clearTimeout(timer);
    close();
  }
}

async function load(
  sql: Sql,
  frames: AsyncGenerator<FrameWithPayload>,
  startStep: () => void,
): Promise<RestoreReport> {
  startStep();
  const head = await readBackupHead(frames);
  // Without these limits, a program that uses a table, or a restore that was stopped (Ctrl-Z), would block the database
  // until somebody intervenes.
  await sql`set local lock_timeout = '5s'`;
  await sql`set local idle_in_transaction_session_timeout = '60s'`;
  for (const name of [...(await listNewerTables(sql)), ...tableNames, "schema_migrations"])
    await sql.unsafe(`drop table if exists ${quoteIdentifier(name)} cascade`);
  await createTables(sql, head.migrations);
  const copier = createCopier(sql, head);
  let rows = 0;
  let pictures = 0;
  try {
    for await (const { frame, payload } of frames) {
      startStep();
      if (frame.kind === "rows") await copier.add(frame.table, payload);
      else await copier.finish();
      if (frame.kind === "picture") {
        await putPicture(sql, frame.cid, payload);
        pictures += 1;
      }
      if (frame.kind === "end") rows = await checkRowCounts(sql, frame.rows);
    }
  } catch (error) {
    copier.abandon();
    throw error;
  }
  // The backup has the tables of the version that wrote it; add what later versions have changed.
  const written = new Set(head.migrations);
  await createTables(
    sql,
    migrations.map(({ name }) => name).filter((name) => !written.has(name)),
  );
  return { rows, pictures, madeAt: head.madeAt };
}

/**
 * The tables that a newer version has added to this database. If one stayed, the next update would fail, because its
 * migration creates the table. Other unknown tables belong to other programs and stay.
 */
async function listNewerTables(sql: Sql): Promise<string[]> {
  const [recorded] = await sql<{ table: string | null }[]>`
    select to_regclass('schema_migrations')::text as table`;
  if (!recorded?.table) return [];
  const known = migrations.map(({ name }) => name);
  const newer = await sql`select from schema_migrations where not (name = any (${known})) limit 1`;
  if (newer.length === 0) return [];
  const tables = await sql<{ name: string }[]>`
    select tablename as name from pg_tables where schemaname = current_schema() and tableowner = current_user`;
  return tables.map(({ name }) => name);
}

function createCopier(sql: Sql, head: BackupHead) {
  const columns = new Map(
    head.tables.map((table) => [table.name, table.columns.map(quoteIdentifier).join(", ")]),
  );
  let copying: { table: string; into: Writable; refused: Promise<never> } | undefined;

  async function finish() {
    const { into, refused } = copying ?? {};
    copying = undefined;
    if (into) await Promise.race([finished(into.end()), refused]);
  }

  /** PostgreSQL can refuse rows at any time, and then the callback of a pending write is never called. */
  const startCopy = async (table: string) => {
    const copy = `copy ${quoteIdentifier(table)} (${columns.get(table) ?? ""}) from stdin`;
    const into = await sql
      .unsafe(copy)
      .writable()
      .catch((error) => {
        throw unfitRowsError(error, table);
      });
    const refused = new Promise<never>((_, reject) => {
      into.on("error", (error) => reject(unfitRowsError(error, table)));
    });
    refused.catch(() => {});
    return { table, into, refused };
  };

  return {
    async add(table: string, bytes: Buffer) {
      if (copying?.table !== table) {
        await finish();
        copying = await startCopy(table);
      }
      await Promise.race([write(copying.into, bytes), copying.refused]);
    },
    finish,
    /** The connection cannot roll back while a COPY is open. */
    abandon: () => copying?.into.destroy(new Error("the restore failed")),
  };
}

/** The SQLSTATE classes of rows with a wrong form, wrong values or references to missing rows. */
const unfitRows = /^(?:22|23|42)/;

const unfitRowsError = (error: NodeJS.ErrnoException, table: string) =>
  unfitRows.test(error.code ?? "")
    ? new BrokenBackup(`The backup has rows that do not fit the table ${table} (${error.code})`)
    : error;

async function putPicture(sql: Sql, cid: string, bytes: Buffer) {
  const isWhole = await restorePictureBytes(cid, bytes).catch((error) => {
    throw explainFileError(error, "DATA_DIR", env.DATA_DIR);
  });
  if (!isWhole) throw new BrokenBackup("A picture in the backup is damaged");
  await sql`update stored_images set storage = ${env.STORAGE} where cid = ${cid}`;
}

/** Waits until the database has taken the bytes, so that they do not pile up in memory. */
const write = (into: Writable, bytes: Buffer) =>
  new Promise<void>((resolve, reject) => into.write(bytes, (error) => (error ? reject(error) : resolve())));

async function checkRowCounts(sql: Sql, counts: Record<string, number>): Promise<number> {
  let rows = 0;
  for (const [table, count] of Object.entries(counts)) {
    const [found] = await sql.unsafe<{ count: number }[]>(
      `select count(*)::int as count from ${quoteIdentifier(table)}`,
    );
    if (found?.count !== count) throw new BrokenBackup(`The backup is missing rows of the table ${table}`);
    rows += count;
  }
  return rows;
}

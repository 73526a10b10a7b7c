import type { Writable } from "node:stream";
import { finished } from "node:stream/promises";
import type postgres from "postgres";
import { fillTitleKeys } from "#app/domain/catalog/catalog.server.ts";
import { done, type Outcome, refuse } from "#app/domain/errors.ts";
import { restorePictureBytes } from "#app/domain/images/images.server.ts";
import { env } from "#app/platform/process/env.server.ts";
import { connectAlone } from "#db/client.server.ts";
import { createTables, migrate, migrations, tableNames } from "#db/migrate.ts";
import {
  BrokenBackup,
  type Frame,
  type FrameWithPayload,
  formatName,
  formatVersion,
  openFrames,
} from "./backup-format.server.ts";
import { quoteIdentifier } from "./write-backup.server.ts";

/** Replaces everything in the database with a backup, in one transaction: if anything is wrong, nothing changes. */

type RestoreReport = { rows: number; pictures: number; madeAt: string };
type Sql = postgres.TransactionSql;
type Head = Extract<Frame, { kind: "backup" }>;

export async function restoreBackup(file: string, { replace = false } = {}): Promise<Outcome<RestoreReport>> {
  const { frames, close } = openFrames(file);
  const sql = await connectAlone("restore");
  try {
    const head = await readHead(frames);
    const refusal = (await findRefusalText(sql, head, replace)) ?? null;
    if (refusal !== null) return refuse("conflict", refusal);
    const restored = await sql.begin((transaction) => load(transaction, head, frames));
    // The backup has the tables of the version that wrote it; add what later versions have changed.
    await migrate();
    await fillTitleKeys();
    return done(restored as RestoreReport);
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code ?? "";
    if (code.startsWith("Z_")) return refuse("invalid", "This file is not a complete Engawa backup");
    if (error instanceof BrokenBackup) return refuse("invalid", error.message);
    throw error;
  } finally {
    close();
    await sql.end({ timeout: 5 });
  }
}

async function readHead(frames: AsyncGenerator<FrameWithPayload>): Promise<Head> {
  const first = await frames.next();
  const head = first.done ? undefined : first.value.frame;
  if (head?.kind !== "backup" || head.format !== formatName)
    throw new BrokenBackup("This file is not an Engawa backup");
  if (head.version > formatVersion)
    throw new BrokenBackup("A newer version of Engawa wrote this backup; update Engawa first");
  return head;
}

async function findRefusalText(sql: postgres.Sql, head: Head, replace: boolean): Promise<string | undefined> {
  const unknown = head.migrations.find((name) => !migrations.some((one) => one.name === name));
  if (unknown)
    return `A newer version of Engawa wrote this backup (with migration ${unknown}); update Engawa first`;
  const [found] = await sql<{ users: string | null }[]>`select to_regclass('users')::text as users`;
  if (replace || !found?.users) return undefined;
  const [row] = await sql<{ any: boolean }[]>`select exists (select from users) as any`;
  return row?.any
    ? "The database already has accounts; use --replace to replace everything in it with the backup"
    : undefined;
}

async function load(sql: Sql, head: Head, frames: AsyncGenerator<FrameWithPayload>): Promise<RestoreReport> {
  for (const name of [...tableNames, "schema_migrations"])
    await sql.unsafe(`drop table if exists ${quoteIdentifier(name)} cascade`);
  await createTables(sql, head.migrations);
  const copier = createCopier(sql, head);
  let rows = 0;
  let pictures = 0;
  try {
    for await (const { frame, payload } of frames) {
      if (frame.kind === "rows") await copier.add(frame.table, payload);
      else await copier.finish();
      if (frame.kind === "picture") pictures += await putPicture(sql, frame.cid, payload);
      if (frame.kind === "end") rows = await checkRowCounts(sql, frame.rows);
    }
  } catch (error) {
    copier.abandon();
    throw error;
  }
  return { rows, pictures, madeAt: head.madeAt };
}

function createCopier(sql: Sql, head: Head) {
  const columns = new Map(
    head.tables.map((table) => [table.name, table.columns.map(quoteIdentifier).join(", ")]),
  );
  let copying: { table: string; into: Writable } | undefined;

  async function finish() {
    copying?.into.end();
    if (copying) await finished(copying.into);
    copying = undefined;
  }

  return {
    async add(table: string, bytes: Buffer) {
      if (copying?.table !== table) {
        await finish();
        const copy = `copy ${quoteIdentifier(table)} (${columns.get(table) ?? ""}) from stdin`;
        copying = { table, into: await sql.unsafe(copy).writable() };
        copying.into.on("error", () => {});
      }
      await write(copying.into, bytes);
    },
    finish,
    /** The connection cannot roll back while a COPY is open. */
    abandon: () => copying?.into.destroy(new Error("the restore failed")),
  };
}

async function putPicture(sql: Sql, cid: string, bytes: Buffer) {
  if (!(await restorePictureBytes(cid, bytes))) throw new BrokenBackup("A picture in the backup is damaged");
  await sql`update stored_images set storage = ${env.STORAGE} where cid = ${cid}`;
  return 1;
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

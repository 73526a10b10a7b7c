import { createReadStream } from "node:fs";
import type { Writable } from "node:stream";
import { finished } from "node:stream/promises";
import { createGunzip } from "node:zlib";
import type postgres from "postgres";
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
  readFrames,
} from "./backup-format.server.ts";
import { quoteIdentifier } from "./write-backup.server.ts";

/** Puts a backup in the place of what the database holds: all of it, or, if anything is wrong, none. */

type RestoreReport = { rows: number; pictures: number; madeAt: string };
type Sql = postgres.TransactionSql;
type Head = Extract<Frame, { kind: "backup" }>;

export async function restoreBackup(file: string, { replace = false } = {}): Promise<Outcome<RestoreReport>> {
  const source = createReadStream(file);
  const text = source.pipe(createGunzip());
  source.once("error", (error) => text.destroy(error));
  const frames = readFrames(text);
  const sql = await connectAlone("restore");
  try {
    const head = await headOf(frames);
    const refusal = (await whyNot(sql, head, replace)) ?? null;
    if (refusal !== null) return refuse("conflict", refusal);
    const restored = await sql.begin((transaction) => load(transaction, head, frames));
    // What this version has added since the backup was made.
    await migrate();
    return done(restored as RestoreReport);
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code ?? "";
    if (code.startsWith("Z_")) return refuse("invalid", "This is no backup of Engawa, or not all of one");
    if (error instanceof BrokenBackup) return refuse("invalid", error.message);
    throw error;
  } finally {
    text.destroy();
    source.destroy();
    await sql.end({ timeout: 5 });
  }
}

async function headOf(frames: AsyncGenerator<FrameWithPayload>): Promise<Head> {
  const first = await frames.next();
  const head = first.done ? undefined : first.value.frame;
  if (head?.kind !== "backup" || head.format !== formatName)
    throw new BrokenBackup("This is no backup of Engawa");
  if (head.version > formatVersion)
    throw new BrokenBackup("A newer version of Engawa made this backup: update first");
  return head;
}

async function whyNot(sql: postgres.Sql, head: Head, replace: boolean): Promise<string | undefined> {
  const unknown = head.migrations.find((name) => !migrations.some((one) => one.name === name));
  if (unknown) return `A newer version of Engawa made this backup (it has ${unknown}): update first`;
  const [found] = await sql<{ users: string | null }[]>`select to_regclass('users')::text as users`;
  if (replace || !found?.users) return undefined;
  const [row] = await sql<{ any: boolean }[]>`select exists (select from users) as any`;
  return row?.any
    ? "The database holds accounts already; --replace puts the backup in their place"
    : undefined;
}

async function load(sql: Sql, head: Head, frames: AsyncGenerator<FrameWithPayload>): Promise<RestoreReport> {
  for (const name of [...tableNames, "schema_migrations"])
    await sql.unsafe(`drop table if exists ${quoteIdentifier(name)} cascade`);
  await createTables(sql, head.migrations);
  const copier = copyInto(sql, head);
  let rows = 0;
  let pictures = 0;
  try {
    for await (const { frame, payload } of frames) {
      if (frame.kind === "rows") await copier.add(frame.table, payload);
      else await copier.finish();
      if (frame.kind === "picture") pictures += await putPicture(sql, frame.cid, payload);
      if (frame.kind === "end") rows = await compare(sql, frame.rows);
    }
  } catch (error) {
    copier.abandon();
    throw error;
  }
  return { rows, pictures, madeAt: head.madeAt };
}

/** One table's rows after another's. */
function copyInto(sql: Sql, head: Head) {
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
    /** A copy that is not ended would keep the connection from rolling back. */
    abandon: () => copying?.into.destroy(new Error("abandoned")),
  };
}

async function putPicture(sql: Sql, cid: string, bytes: Buffer) {
  if (!(await restorePictureBytes(cid, bytes))) throw new BrokenBackup("A picture is not what its name says");
  await sql`update stored_images set storage = ${env.STORAGE} where cid = ${cid}`;
  return 1;
}

/** Waits while the database takes less than it is given. */
const write = (into: Writable, bytes: Buffer) =>
  new Promise<void>((resolve, reject) => into.write(bytes, (error) => (error ? reject(error) : resolve())));

async function compare(sql: Sql, counts: Record<string, number>): Promise<number> {
  let rows = 0;
  for (const [table, count] of Object.entries(counts)) {
    const [found] = await sql.unsafe<{ count: number }[]>(
      `select count(*)::int as count from ${quoteIdentifier(table)}`,
    );
    if (found?.count !== count) throw new BrokenBackup(`The backup lacks rows of ${table}`);
    rows += count;
  }
  return rows;
}

import { errorFields, log } from "#app/platform/log.server.ts";
import { connectAlone, type Transaction, withTransaction } from "#db/client.server.ts";
import { matureGenres, matureRating } from "#db/schema/enumerations.ts";
import { markCatalogChanged } from "../version.server.ts";
import type { RawRecord } from "./formats.ts";
import { Unreadable } from "./read-source.server.ts";
import type { CatalogRecord, ChildRecord, TitleRecord } from "./records.ts";
import { findKnownTitles, type Placed, titleOf, writeChildren } from "./write-children.server.ts";
import { type Tally, type TitleChange, writeTitles } from "./write-titles.server.ts";

/** Takes records in, a batch a transaction; the same records again change nothing. */

export type ImportReport = {
  titles: Tally;
  /** The first of the new and the changed ones. */
  changes: TitleChange[];
  /** Relations, episodes, sources, subtitles, skip segments. */
  details: Tally;
  /** Adult titles, with what belongs to them. */
  leftOut: number;
  rejectedCount: number;
  /** The first of them. */
  rejected: { where: string; reason: string }[];
  /** Why the source could not be read to its end; what came before is in. */
  brokenOff: string | null;
};

export type ImportOptions = {
  includeAdult?: boolean;
  /** Works everything out and writes nothing. */
  dryRun?: boolean;
  /** Only fills in what is not known yet: for data that is older than what may be there. */
  fillOnly?: boolean;
  onProgress?: (recordsRead: number) => void;
};

const batchSize = 500;
const mostKept = 1000;

type Located<Record> = { where: string; record: Record };

export async function importRecords(
  records: AsyncIterable<RawRecord>,
  options: ImportOptions = {},
): Promise<ImportReport> {
  const run = startRun(options);
  try {
    for await (const one of records) {
      if ("rejected" in one) run.reject(one.where, one.rejected);
      else await run.take(one.where, one.record);
    }
  } catch (error) {
    if (!(error instanceof Unreadable)) throw error;
    run.report.brokenOff = error.message;
  }
  await run.finish();
  return run.report;
}

/** The maturity rule for what is not in the database yet; there it is a generated column. */
const isAdult = (title: TitleRecord) =>
  title.rating === matureRating ||
  title.genres.some((name) => (matureGenres as readonly string[]).includes(name));

const emptyTally = (): Tally => ({ added: 0, changed: 0, unchanged: 0 });

function startRun({ includeAdult = false, dryRun = false, fillOnly = false, onProgress }: ImportOptions) {
  const report: ImportReport = {
    titles: emptyTally(),
    changes: [],
    details: emptyTally(),
    leftOut: 0,
    rejectedCount: 0,
    rejected: [],
    brokenOff: null,
  };
  const titles: Located<TitleRecord>[] = [];
  const children: Located<Placed>[] = [];
  /** Their title may still come. */
  let early: typeof children = [];
  const leftOut = new Set<number>();
  /** In a dry run a title of this very input is not there when what belongs to it is looked at. */
  const promised = new Set<number>();
  const positions = new Map<string, number>();
  let read = 0;
  let isChanged = false;

  const reject = (where: string, reason: string) => {
    report.rejectedCount += 1;
    if (report.rejected.length < mostKept) report.rejected.push({ where, reason });
  };

  const onChange = (change: TitleChange) => {
    if (report.changes.length < mostKept) report.changes.push(change);
  };

  async function take(where: string, record: CatalogRecord) {
    read += 1;
    if (record.kind !== "title") children.push({ where, record: { ...record, ...placeOf(record) } });
    else if (!includeAdult && isAdult(record)) {
      leftOut.add(record.mal_id);
      report.leftOut += 1;
    } else titles.push({ where, record });
    if (titles.length >= batchSize) await flushTitles();
    if (children.length >= batchSize) await flushChildren();
    if (read % batchSize === 0) onProgress?.(read);
  }

  /** Sources are offered in the order they stand. */
  function placeOf(record: ChildRecord) {
    if (record.kind !== "source" && record.kind !== "subtitle") return {};
    const key = `${record.kind} ${record.mal_id} ${record.number}`;
    const position = positions.get(key) ?? 0;
    positions.set(key, position + 1);
    return { position };
  }

  async function flushTitles() {
    const batch = titles.splice(0).map(({ record }) => record);
    if (batch.length === 0) return;
    add(report.titles, await write((transaction) => writeTitles(transaction, batch, { fillOnly, onChange })));
    if (dryRun) for (const { mal_id } of batch) promised.add(mal_id);
  }

  async function flushChildren(isLast = false) {
    await flushTitles();
    const batch = isLast ? [...early.splice(0), ...children.splice(0)] : children.splice(0);
    for (let at = 0; at < batch.length; at += batchSize)
      await flushChildBatch(batch.slice(at, at + batchSize), isLast);
  }

  async function flushChildBatch(batch: typeof children, isLast: boolean) {
    const wanted = batch.filter(({ record }) => !leftOut.has(titleOf(record)));
    report.leftOut += batch.length - wanted.length;
    const tally = await write(async (transaction) => {
      const known = await findKnownTitles(
        transaction,
        wanted.map(({ record }) => titleOf(record)),
      );
      const ready = wanted.filter(({ record }) => known.has(titleOf(record)));
      const missing = wanted.filter(({ record }) => !known.has(titleOf(record)));
      const coming = missing.filter(({ record }) => promised.has(titleOf(record)));
      const unknown = missing.filter(({ record }) => !promised.has(titleOf(record)));
      if (isLast)
        for (const { where, record } of unknown)
          reject(where, `title ${titleOf(record)} is not in the catalog`);
      else early = early.concat(unknown);
      const written = await writeChildren(
        transaction,
        ready.map(({ record }) => record),
      );
      return { ...written, added: written.added + coming.length };
    });
    add(report.details, tally);
  }

  async function write(work: (transaction: Transaction) => Promise<Tally>): Promise<Tally> {
    let tally = emptyTally();
    await withTransaction(async (transaction) => {
      tally = await work(transaction);
      if (dryRun) throw new DryRun();
      if (tally.added + tally.changed === 0) return;
      isChanged = true;
      await markCatalogChanged(transaction);
    }).catch((error) => {
      if (!(error instanceof DryRun)) throw error;
    });
    return tally;
  }

  async function finish() {
    await flushChildren();
    await flushChildren(true);
    onProgress?.(read);
    if (isChanged) await tidyTables();
  }

  return { report, take, reject, finish };
}

/** Rolls a batch back once it is known what it would do. */
class DryRun extends Error {
  override name = "DryRun";
}

function add(to: Tally, tally: Tally) {
  to.added += tally.added;
  to.changed += tally.changed;
  to.unchanged += tally.unchanged;
}

/** Listings read indexes alone once the tables are vacuumed, and choose by fresh statistics. */
async function tidyTables() {
  const sql = await connectAlone("vacuum");
  try {
    await sql`vacuum (analyze) titles, title_aliases, title_relations, episodes, episode_sources`;
  } catch (error) {
    log.warn("the tables could not be vacuumed; the database does so itself later", errorFields(error));
  } finally {
    await sql.end({ timeout: 5 });
  }
}

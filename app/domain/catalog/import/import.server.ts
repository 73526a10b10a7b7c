import { errorFields, log } from "#app/platform/log.server.ts";
import { connectAlone, type Transaction, withTransaction } from "#db/client.server.ts";
import { matureGenres, matureRating } from "#db/schema/enumerations.ts";
import { markCatalogChanged } from "../version.server.ts";
import type { RawRecord } from "./formats.ts";
import { UnreadableCatalog } from "./read-source.server.ts";
import type { CatalogRecord, ChildRecord, TitleRecord } from "./records.ts";
import { findKnownTitles, malIdOfChild, type PlacedChild, writeChildren } from "./write-children.server.ts";
import { type ImportCounts, type TitleChange, writeTitles } from "./write-titles.server.ts";

/** Takes records in, a batch a transaction; the same records again change nothing. */

export type CatalogImportReport = {
  titles: ImportCounts;
  /** The first of the new and the changed ones. */
  changes: TitleChange[];
  /** Relations, episodes, sources, subtitles, skip segments. */
  details: ImportCounts;
  /** Adult titles, with what belongs to them. */
  leftOut: number;
  rejectedCount: number;
  /** The first of them. */
  rejected: { where: string; reason: string }[];
  /** Why the source could not be read to its end; what came before is in. */
  brokenOff: string | null;
};

type CatalogImportOptions = {
  includeAdult?: boolean;
  /** Works everything out and writes nothing. */
  dryRun?: boolean;
  /** Only fills in what is not known yet: for data that is older than what may be there. */
  fillOnly?: boolean;
  onProgress?: (recordsRead: number) => void;
};

const batchSize = 500;
const maxReportedLines = 1000;

type Located<Record> = { where: string; record: Record };

export async function importRecords(
  records: AsyncIterable<RawRecord>,
  options: CatalogImportOptions = {},
): Promise<CatalogImportReport> {
  const run = new ImportRun(options);
  try {
    for await (const one of records) {
      if ("rejected" in one) run.reject(one.where, one.rejected);
      else await run.take(one.where, one.record);
    }
  } catch (error) {
    if (!(error instanceof UnreadableCatalog)) throw error;
    run.report.brokenOff = error.message;
  }
  await run.finish();
  return run.report;
}

/** The maturity rule for what is not in the database yet; there it is a generated column. */
const isAdult = (title: TitleRecord) =>
  title.rating === matureRating ||
  title.genres.some((name) => (matureGenres as readonly string[]).includes(name));

const emptyTally = (): ImportCounts => ({ added: 0, changed: 0, unchanged: 0 });

/** One import: it collects records into batches, writes them, and counts what they change. */
class ImportRun {
  readonly report: CatalogImportReport = {
    titles: emptyTally(),
    changes: [],
    details: emptyTally(),
    leftOut: 0,
    rejectedCount: 0,
    rejected: [],
    brokenOff: null,
  };
  readonly #options: CatalogImportOptions;
  readonly #titles: Located<TitleRecord>[] = [];
  readonly #children: Located<PlacedChild>[] = [];
  /** Children whose title may still come. */
  #early: Located<PlacedChild>[] = [];
  readonly #leftOut = new Set<number>();
  /** Titles that a dry run reads: they are not in the database when their children are looked at. */
  readonly #promised = new Set<number>();
  readonly #positions = new Map<string, number>();
  #read = 0;
  #isChanged = false;

  constructor(options: CatalogImportOptions) {
    this.#options = options;
  }

  async take(where: string, record: CatalogRecord) {
    this.#read += 1;
    if (record.kind !== "title")
      this.#children.push({ where, record: { ...record, ...this.#positionOf(record) } });
    else if (!this.#options.includeAdult && isAdult(record)) {
      this.#leftOut.add(record.malId);
      this.report.leftOut += 1;
    } else this.#titles.push({ where, record });
    if (this.#titles.length >= batchSize) await this.#flushTitles();
    if (this.#children.length >= batchSize) await this.#flushChildren();
    if (this.#read % batchSize === 0) this.#options.onProgress?.(this.#read);
  }

  reject(where: string, reason: string) {
    this.report.rejectedCount += 1;
    if (this.report.rejected.length < maxReportedLines) this.report.rejected.push({ where, reason });
  }

  async finish() {
    await this.#flushChildren();
    await this.#flushChildren(true);
    this.#options.onProgress?.(this.#read);
    if (this.#isChanged) await tidyTables();
  }

  /** An episode offers its sources and subtitles in the order of the file. */
  #positionOf(record: ChildRecord) {
    if (record.kind !== "source" && record.kind !== "subtitle") return {};
    const key = `${record.kind} ${record.malId} ${record.number}`;
    const position = this.#positions.get(key) ?? 0;
    this.#positions.set(key, position + 1);
    return { position };
  }

  async #flushTitles() {
    const { fillOnly = false, dryRun } = this.#options;
    const batch = this.#titles.splice(0).map(({ record }) => record);
    if (batch.length === 0) return;
    const onChange = (change: TitleChange) => {
      if (this.report.changes.length < maxReportedLines) this.report.changes.push(change);
    };
    const tally = await this.#write((transaction) => writeTitles(transaction, batch, { fillOnly, onChange }));
    add(this.report.titles, tally);
    if (dryRun) for (const { malId } of batch) this.#promised.add(malId);
  }

  async #flushChildren(isLast = false) {
    await this.#flushTitles();
    const batch = isLast ? [...this.#early.splice(0), ...this.#children.splice(0)] : this.#children.splice(0);
    for (let at = 0; at < batch.length; at += batchSize)
      await this.#flushChildBatch(batch.slice(at, at + batchSize), isLast);
  }

  async #flushChildBatch(batch: Located<PlacedChild>[], isLast: boolean) {
    const wanted = batch.filter(({ record }) => !this.#leftOut.has(malIdOfChild(record)));
    this.report.leftOut += batch.length - wanted.length;
    const tally = await this.#write(async (transaction) => {
      const known = await findKnownTitles(
        transaction,
        wanted.map(({ record }) => malIdOfChild(record)),
      );
      const ready = wanted.filter(({ record }) => known.has(malIdOfChild(record)));
      const missing = wanted.filter(({ record }) => !known.has(malIdOfChild(record)));
      const coming = missing.filter(({ record }) => this.#promised.has(malIdOfChild(record)));
      const unknown = missing.filter(({ record }) => !this.#promised.has(malIdOfChild(record)));
      if (isLast)
        for (const { where, record } of unknown)
          this.reject(where, `title ${malIdOfChild(record)} is not in the catalog`);
      else this.#early = this.#early.concat(unknown);
      const written = await writeChildren(
        transaction,
        ready.map(({ record }) => record),
      );
      return { ...written, added: written.added + coming.length };
    });
    add(this.report.details, tally);
  }

  async #write(work: (transaction: Transaction) => Promise<ImportCounts>): Promise<ImportCounts> {
    let tally = emptyTally();
    await withTransaction(async (transaction) => {
      tally = await work(transaction);
      if (this.#options.dryRun) throw new DryRun();
      if (tally.added + tally.changed === 0) return;
      this.#isChanged = true;
      await markCatalogChanged(transaction);
    }).catch((error) => {
      if (!(error instanceof DryRun)) throw error;
    });
    return tally;
  }
}

/** Rolls a batch back once it is known what it would do. */
class DryRun extends Error {
  override name = "DryRun";
}

function add(to: ImportCounts, tally: ImportCounts) {
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

import { markCatalogChanged } from "#app/domain/catalog-version/catalog-version.server.ts";
import { formatExternalId } from "#app/domain/external-ids/external-ids.ts";
import { renewFranchises } from "#app/domain/franchises/franchises.server.ts";
import { malIdsOf } from "#app/domain/mal-ids.ts";
import { chunksOf } from "#app/platform/lists.ts";
import { db, type Transaction, withTransaction } from "#db/client.server.ts";
import { tidyCatalog } from "#db/tidy-catalog.server.ts";
import { isAdult } from "./adult.ts";
import { CollectedIds } from "./collected-ids.server.ts";
import type { Checkpoint, RawRecord } from "./formats.ts";
import { addCounts, type CatalogImportReport, zeroCounts } from "./import-report.ts";
import { CatalogReadError } from "./read-source.server.ts";
import { type TitleSource, termsOf } from "./records/sources.ts";
import type { CatalogRecord, ChildRecord, TitleRecord } from "./records.ts";
import { CollectedTags } from "./tags/collected-tags.ts";
import { numberKnownTags, numberTags } from "./tags/tags.server.ts";
import {
  lockKnownTitles,
  malIdOfChild,
  type PlacedChild,
  titlesOfChild,
  writeChildren,
} from "./write-children.server.ts";
import { listTitlesWithoutIds, retryIds, type TakenId } from "./write-ids.server.ts";
import {
  type ImportCounts,
  type SourcedTitle,
  splitBySource,
  type TitleChange,
  toAdultTitle,
  type WriteCounts,
  writeTitles,
} from "./write-titles.server.ts";

/** Imports records in batches, one transaction per batch. Importing the same records again changes nothing. */

type CatalogImportOptions = {
  includeAdult?: boolean;
  /** Computes the report but rolls every batch back. */
  dryRun?: boolean;
  /** The input is the starter catalog. It can be older than the catalog, so it only fills in missing values. */
  fillOnly?: boolean;
  onProgress?: (recordsRead: number) => void;
};

const batchSize = 500;
const maxReportedLines = 1000;

type InputChild = { where: string; record: PlacedChild };

export async function importRecords(
  records: AsyncIterable<RawRecord | Checkpoint>,
  options: CatalogImportOptions = {},
): Promise<CatalogImportReport> {
  const run = new ImportRun(options);
  try {
    for await (const read of records) {
      if ("rejected" in read) run.reject(read.where, read.rejected);
      else if ("reached" in read) {
        await run.writeAll();
        await read.reached();
      } else await run.add(read.where, read.record, options.fillOnly ? "starter" : read.source);
    }
  } catch (error) {
    if (!(error instanceof CatalogReadError)) throw error;
    run.report.brokenOff = error.message;
  }
  await run.finish();
  return run.report;
}

/** The state of one import: collects records into batches, writes them and counts the changes. */
class ImportRun {
  readonly report: CatalogImportReport = {
    titles: zeroCounts(),
    changes: [],
    details: zeroCounts(),
    leftOut: 0,
    notInCatalog: 0,
    rejectedCount: 0,
    rejected: [],
    brokenOff: null,
  };
  readonly #options: CatalogImportOptions;
  readonly #titles: SourcedTitle[] = [];
  readonly #children: InputChild[] = [];
  /** Child records whose title is not in the catalog yet. It can come later in the input. */
  #waiting: InputChild[] = [];
  readonly #ids = new CollectedIds();
  readonly #tags = new CollectedTags();
  /** Ids that were refused because another title holds them. A later record of this input may release them. */
  #taken: TakenId[] = [];
  /** Sources that send only changed titles. Refused ids of their other titles are retried from stored records. */
  readonly #changeOnlySources = new Set<TitleSource>();
  /** True if a known title changed since the last checkpoint, so its ids may be free now. */
  #mayHaveFreedIds = false;
  readonly #leftOut = new Set<number>();
  /** Titles added by a dry run. They are rolled back, so child records cannot find them in the database. */
  readonly #rolledBack = new Set<number>();
  readonly #positions = new Map<string, number>();
  #read = 0;
  #written = 0;
  #writing = Promise.resolve();

  constructor(options: CatalogImportOptions) {
    this.#options = options;
  }

  async add(where: string, record: CatalogRecord, source: TitleSource) {
    if (record.kind === "about") return;
    this.#read += 1;
    if (record.kind === "ids") this.#ids.add(record, source);
    else if (record.kind === "tag") this.#tags.add([{ ...record, kind: record.tag }]);
    else if (record.kind === "adult") this.#titles.push(toAdultTitle(record, source));
    else if (record.kind !== "title")
      this.#children.push({ where, record: { ...record, source, ...this.#positionOf(record) } });
    else this.#addTitle(record, source);
    if (this.#titles.length >= batchSize) await this.#flushTitles();
    if (this.#children.length >= batchSize) await this.#flushChildren();
    if (this.#read % batchSize === 0) this.#options.onProgress?.(this.#read);
  }

  /** Even if adult titles are left out, a title already in the catalog must be updated when it becomes adult. */
  #addTitle(record: TitleRecord, source: TitleSource) {
    const isForKnown = !this.#options.includeAdult && isAdult(record);
    if (!isForKnown) this.#tags.add(record.tagNumbers ?? []);
    this.#titles.push(...splitBySource(record, source).map((title) => ({ ...title, isForKnown })));
    if (termsOf[source].sendsOnlyChanges) this.#changeOnlySources.add(source);
  }

  reject(where: string, reason: string) {
    this.report.rejectedCount += 1;
    if (this.report.rejected.length < maxReportedLines) this.report.rejected.push({ where, reason });
  }

  /** Writes everything that the next run would not repeat if this process ended after the checkpoint. */
  async writeAll() {
    await this.#flushChildren();
    if (this.#options.dryRun) return;
    await numberKnownTags(this.#tags.takeNew());
    if (this.#mayHaveFreedIds) for (const source of this.#changeOnlySources) await this.#retryIdsOf(source);
    this.#mayHaveFreedIds = false;
    await this.#retryTaken();
  }

  async finish() {
    await this.#flushChildren();
    await this.#flushChildren(true);
    await this.#flushIds();
    for (const source of this.#changeOnlySources) await this.#retryIdsOf(source);
    await this.#retryTaken();
    this.#reportTaken();
    if (!this.#options.dryRun) {
      await numberTags(this.#tags.all);
      await renewFranchises();
    }
    this.#options.onProgress?.(this.#read);
    if (this.#written > 0) await tidyCatalog(this.#written);
  }

  /** The player offers sources and subtitles in the order of the file. */
  #positionOf(record: ChildRecord) {
    if (record.kind !== "source" && record.kind !== "subtitle") return {};
    const key = `${record.kind} ${record.malId} ${record.number}`;
    const position = this.#positions.get(key) ?? 0;
    this.#positions.set(key, position + 1);
    return { position };
  }

  /** Starts a write and returns: PostgreSQL writes one batch while this process reads the next. */
  async #flushTitles() {
    const batch = this.#titles.splice(0);
    await this.#writing;
    if (batch.length === 0) return;
    this.#writing = this.#writeBatch(batch);
    // The error is reported by the next call that awaits the write.
    this.#writing.catch(() => {});
  }

  async #writeBatch(batch: readonly SourcedTitle[]) {
    const counts = await this.#writeSourced(batch, (change) => {
      if (this.report.changes.length < maxReportedLines) this.report.changes.push(change);
    });
    addCounts(this.report.titles, counts);
    if (this.#options.dryRun) for (const { malId } of batch) this.#rolledBack.add(malId);
  }

  #writeSourced(titles: readonly SourcedTitle[], onChange?: (change: TitleChange) => void) {
    return this.#write(async (transaction) => {
      const { taken, leftOut, ...written } = await writeTitles(transaction, titles, onChange);
      this.#taken.push(...taken);
      const leftOutBefore = this.#leftOut.size;
      for (const malId of leftOut) this.#leftOut.add(malId);
      this.report.leftOut += this.#leftOut.size - leftOutBefore;
      this.#mayHaveFreedIds ||= written.touched.size > written.added;
      return written;
    });
  }

  async #flushChildren(isLast = false) {
    await this.#flushTitles();
    await this.#writing;
    const batch = [...(isLast ? this.#waiting.splice(0) : []), ...this.#children.splice(0)];
    for (const part of chunksOf(batch, batchSize)) await this.#flushChildBatch(part, isLast);
  }

  async #flushChildBatch(batch: InputChild[], isLast: boolean) {
    const included = batch.filter(({ record }) => !this.#leftOut.has(malIdOfChild(record)));
    this.report.leftOut += batch.length - included.length;
    const counts = await this.#write(async (transaction) => {
      const known = await lockKnownTitles(
        transaction,
        included.flatMap(({ record }) => titlesOfChild(record)),
      );
      const ready: PlacedChild[] = [];
      const unknown: InputChild[] = [];
      for (const child of included) {
        const missing = titlesOfChild(child.record).filter((malId) => !known.has(malId));
        if (missing.length === 0) ready.push(child.record);
        else if (missing.some((malId) => !this.#rolledBack.has(malId))) unknown.push(child);
      }
      if (isLast) this.#reportUnknown(unknown);
      else this.#waiting = this.#waiting.concat(unknown);
      const written = await writeChildren(transaction, ready);
      // The others belong to titles that this dry run added.
      return { ...written, added: written.added + included.length - ready.length - unknown.length };
    });
    addCounts(this.report.details, counts);
  }

  #reportUnknown(unknown: readonly InputChild[]) {
    for (const { where, record } of unknown)
      if (record.kind === "related") this.report.notInCatalog += 1;
      else this.reject(where, `title ${malIdOfChild(record)} is not in the catalog`);
  }

  async #flushIds() {
    const { titles, unknown } = await this.#ids.titles();
    this.report.notInCatalog += unknown;
    for (const batch of chunksOf(titles, batchSize)) {
      const known = await lockKnownTitles(db, malIdsOf(batch));
      const ready = batch.filter(({ malId }) => known.has(malId));
      const rolledBack = batch.filter(({ malId }) => this.#rolledBack.has(malId)).length;
      this.report.notInCatalog += batch.length - ready.length - rolledBack;
      this.report.details.added += rolledBack;
      if (ready.length > 0) addCounts(this.report.details, await this.#writeSourced(ready));
    }
  }

  /** Retries refused ids from the source's stored records, because the title may come from an earlier import. */
  async #retryIdsOf(source: TitleSource) {
    const titles = (await listTitlesWithoutIds(source)).map((title) => ({ ...title, source }));
    this.#taken = this.#taken.filter(({ malId }) => titles.every((title) => title.malId !== malId));
    for (const batch of chunksOf(titles, batchSize)) await this.#writeSourced(batch);
  }

  async #retryTaken() {
    if (this.#taken.length === 0 || this.#options.dryRun) return;
    const takenIds = this.#taken.splice(0);
    await this.#write(async (transaction) => {
      const { taken: still, changed } = await retryIds(transaction, takenIds);
      this.#taken.push(...still);
      return { ...zeroCounts(), changed: changed.size, touched: changed };
    });
  }

  /** Ids that another title still holds are rejected: one of the two sources is wrong. */
  #reportTaken() {
    for (const { malId, id, holder } of this.#taken)
      this.reject(`title ${malId}`, `${formatExternalId(id)} is the id of title ${holder}`);
  }

  async #write(work: (transaction: Transaction) => Promise<WriteCounts>): Promise<ImportCounts> {
    let counts = zeroCounts();
    await withTransaction(async (transaction) => {
      const { touched, ...written } = await work(transaction);
      counts = written;
      if (this.#options.dryRun) throw new DryRunRollback();
      if (touched.size === 0) return;
      this.#written += counts.added + counts.changed;
      await markCatalogChanged(transaction, touched);
    }).catch((error) => {
      if (!(error instanceof DryRunRollback)) throw error;
    });
    return counts;
  }
}

/** Thrown in a dry run to roll a batch back after its changes were counted. */
class DryRunRollback extends Error {
  override name = "DryRunRollback";
}

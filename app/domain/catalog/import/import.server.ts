import { errorFields, log } from "#app/platform/log.server.ts";
import { connectAlone, db, type Transaction, withTransaction } from "#db/client.server.ts";
import { matureGenres, matureRating } from "#db/schema/enumerations.ts";
import { formatExternalId } from "../external-ids/external-ids.ts";
import type { TitleSource } from "../records/sources.ts";
import { knownFields } from "../records/title-fields.ts";
import { fieldNames } from "../records/title-records.server.ts";
import { CollectedTags } from "../tags/collected-tags.ts";
import { numberTags } from "../tags/tags.server.ts";
import { markCatalogChanged } from "../version.server.ts";
import { CollectedIds } from "./collected-ids.server.ts";
import type { RawRecord } from "./formats.ts";
import type { CatalogImportReport } from "./import-report.ts";
import { UnreadableCatalog } from "./read-source.server.ts";
import type { CatalogRecord, ChildRecord, TitleRecord } from "./records.ts";
import {
  findKnownTitles,
  malIdOfChild,
  type PlacedChild,
  titlesOfChild,
  writeChildren,
} from "./write-children.server.ts";
import { retryIds, type TakenId } from "./write-ids.server.ts";
import { type ImportCounts, type TitleChange, type TitleWord, writeTitles } from "./write-titles.server.ts";

/** Imports records in batches, one transaction per batch. Importing the same records again changes nothing. */

type CatalogImportOptions = {
  includeAdult?: boolean;
  /** Computes the report and rolls every batch back. */
  dryRun?: boolean;
  /** The input is the starter catalog, which can be older than the catalog and only fills in missing values. */
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
    for await (const read of records) {
      if ("rejected" in read) run.reject(read.where, read.rejected);
      else await run.add(read.where, read.record, options.fillOnly ? "starter" : read.source);
    }
  } catch (error) {
    if (!(error instanceof UnreadableCatalog)) throw error;
    run.report.brokenOff = error.message;
  }
  await run.finish();
  return run.report;
}

/** The maturity rule for records that are not in the database yet. In the database it is the generated column `is_mature`. */
const isMatureRecord = (title: TitleRecord) =>
  title.rating === matureRating ||
  title.genres.some((name) => (matureGenres as readonly string[]).includes(name));

const zeroCounts = (): ImportCounts => ({ added: 0, changed: 0, unchanged: 0 });

/** What a source says of a title. Texts of another source, which an export names, are the word of that one. */
function wordsOf(record: TitleRecord, source: TitleSource): TitleWord[] {
  const { malId, textsFrom = {} } = record;
  const fields = knownFields(record, fieldNames);
  const words: TitleWord[] = [{ malId, source, fields }];
  for (const name of ["synopsis", "background"] as const) {
    const from = textsFrom[name];
    if (from === undefined || from === source || fields[name] === undefined) continue;
    words.unshift({ malId, source: from, fields: { [name]: fields[name] } });
    delete fields[name];
  }
  return words;
}

/** The state of one import: it collects records into batches, writes them and counts the changes. */
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
  readonly #words: TitleWord[] = [];
  readonly #children: Located<PlacedChild>[] = [];
  /** Child records whose title was not found yet. It can follow later in the input. */
  #waiting: Located<PlacedChild>[] = [];
  readonly #ids = new CollectedIds();
  readonly #tags = new CollectedTags();
  /** Ids that another title had. A later record of this input can take them away from it. */
  #taken: TakenId[] = [];
  readonly #leftOut = new Set<number>();
  /** Titles of a dry run. They are rolled back, so their child records cannot find them in the database. */
  readonly #rolledBack = new Set<number>();
  readonly #positions = new Map<string, number>();
  #read = 0;
  #isChanged = false;

  constructor(options: CatalogImportOptions) {
    this.#options = options;
  }

  async add(where: string, record: CatalogRecord, source: TitleSource) {
    this.#read += 1;
    if (record.kind === "ids") this.#ids.add(record, source);
    else if (record.kind === "tag") this.#tags.add([{ ...record, kind: record.tag }]);
    else if (record.kind !== "title")
      this.#children.push({ where, record: { ...record, ...this.#positionOf(record) } });
    else if (!this.#options.includeAdult && isMatureRecord(record)) {
      this.#leftOut.add(record.malId);
      this.report.leftOut += 1;
    } else {
      this.#tags.add(record.tagNumbers ?? []);
      this.#words.push(...wordsOf(record, source));
    }
    if (this.#words.length >= batchSize) await this.#flushTitles();
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
    await this.#flushIds();
    await this.#retryTaken();
    if (!this.#options.dryRun) await numberTags(this.#tags.all);
    this.#options.onProgress?.(this.#read);
    if (this.#isChanged) await vacuumTables();
  }

  /** The player offers sources and subtitles in the order of the file. */
  #positionOf(record: ChildRecord) {
    if (record.kind !== "source" && record.kind !== "subtitle") return {};
    const key = `${record.kind} ${record.malId} ${record.number}`;
    const position = this.#positions.get(key) ?? 0;
    this.#positions.set(key, position + 1);
    return { position };
  }

  async #flushTitles() {
    const batch = this.#words.splice(0);
    if (batch.length === 0) return;
    const onChange = (change: TitleChange) => {
      if (this.report.changes.length < maxReportedLines) this.report.changes.push(change);
    };
    addCounts(this.report.titles, await this.#writeWords(batch, onChange));
    if (this.#options.dryRun) for (const { malId } of batch) this.#rolledBack.add(malId);
  }

  #writeWords(words: readonly TitleWord[], onChange?: (change: TitleChange) => void) {
    return this.#write(async (transaction) => {
      const { taken, ...counts } = await writeTitles(transaction, words, onChange);
      this.#taken.push(...taken);
      return counts;
    });
  }

  async #flushChildren(isLast = false) {
    await this.#flushTitles();
    const batch = isLast
      ? [...this.#waiting.splice(0), ...this.#children.splice(0)]
      : this.#children.splice(0);
    for (let at = 0; at < batch.length; at += batchSize)
      await this.#flushChildBatch(batch.slice(at, at + batchSize), isLast);
  }

  async #flushChildBatch(batch: Located<PlacedChild>[], isLast: boolean) {
    const wanted = batch.filter(({ record }) => !this.#leftOut.has(malIdOfChild(record)));
    this.report.leftOut += batch.length - wanted.length;
    const counts = await this.#write(async (transaction) => {
      const known = await findKnownTitles(
        transaction,
        wanted.flatMap(({ record }) => titlesOfChild(record)),
      );
      const lacks = (record: ChildRecord, isLacking = (_: number) => true) =>
        titlesOfChild(record).filter((malId) => !known.has(malId) && isLacking(malId)).length > 0;
      const ready = wanted.filter(({ record }) => !lacks(record));
      const missing = wanted.filter(({ record }) => lacks(record));
      const unknown = missing.filter(({ record }) => lacks(record, (malId) => !this.#rolledBack.has(malId)));
      if (isLast) this.#reportUnknown(unknown);
      else this.#waiting = this.#waiting.concat(unknown);
      const written = await writeChildren(
        transaction,
        ready.map(({ record }) => record),
      );
      return { ...written, added: written.added + missing.length - unknown.length };
    });
    addCounts(this.report.details, counts);
  }

  #reportUnknown(unknown: readonly Located<PlacedChild>[]) {
    for (const { where, record } of unknown)
      if (record.kind === "related") this.report.notInCatalog += 1;
      else this.reject(where, `title ${malIdOfChild(record)} is not in the catalog`);
  }

  async #flushIds() {
    const { words, unknown } = await this.#ids.words();
    this.report.notInCatalog += unknown;
    for (let at = 0; at < words.length; at += batchSize) {
      const batch = words.slice(at, at + batchSize);
      const known = await findKnownTitles(
        db,
        batch.map(({ malId }) => malId),
      );
      const ready = batch.filter(({ malId }) => known.has(malId));
      const rolledBack = batch.filter(({ malId }) => this.#rolledBack.has(malId)).length;
      this.report.notInCatalog += batch.length - ready.length - rolledBack;
      this.report.details.added += rolledBack;
      if (ready.length > 0) addCounts(this.report.details, await this.#writeWords(ready));
    }
  }

  /** Ids that another title still has are rejected: one of the two sources is wrong. */
  async #retryTaken() {
    const taken = this.#taken.splice(0);
    if (taken.length === 0) return;
    if (!this.#options.dryRun)
      await this.#write(async (transaction) => {
        const { taken: still, changed } = await retryIds(transaction, taken);
        this.#taken.push(...still);
        return { ...zeroCounts(), changed };
      });
    for (const { malId, id, holder } of this.#options.dryRun ? taken : this.#taken)
      this.reject(`title ${malId}`, `${formatExternalId(id)} is the id of title ${holder}`);
  }

  async #write(work: (transaction: Transaction) => Promise<ImportCounts>): Promise<ImportCounts> {
    let counts = zeroCounts();
    await withTransaction(async (transaction) => {
      counts = await work(transaction);
      if (this.#options.dryRun) throw new DryRunRollback();
      if (counts.added + counts.changed === 0) return;
      this.#isChanged = true;
      await markCatalogChanged(transaction);
    }).catch((error) => {
      if (!(error instanceof DryRunRollback)) throw error;
    });
    return counts;
  }
}

/** Thrown in a dry run to roll a batch back after its changes are counted. */
class DryRunRollback extends Error {
  override name = "DryRunRollback";
}

function addCounts(to: ImportCounts, counts: ImportCounts) {
  to.added += counts.added;
  to.changed += counts.changed;
  to.unchanged += counts.unchanged;
}

/** Without VACUUM, PostgreSQL cannot use index-only scans for listings; ANALYZE gives its planner new statistics. */
async function vacuumTables() {
  const sql = await connectAlone("vacuum");
  try {
    await sql`vacuum (analyze) titles, title_aliases, title_relations, episodes, episode_sources`;
  } catch (error) {
    log.warn(
      "could not vacuum the catalog tables; PostgreSQL does it later by itself, and listings can be slower until then",
      errorFields(error),
    );
  } finally {
    await sql.end({ timeout: 5 });
  }
}

import { and, eq, inArray, sql } from "drizzle-orm";
import type { PgTable } from "drizzle-orm/pg-core";
import { indexKey } from "#app/domain/catalog/catalog.server.ts";
import {
  knownFields,
  type PlacedChild,
  parseRecord,
  writeChildren,
  writeTitles,
} from "#app/domain/catalog-import/catalog-import.server.ts";
import type { FieldName, TitleFields } from "#app/domain/catalog-import/catalog-import.ts";
import { changeCatalog } from "#app/domain/catalog-version/catalog-version.server.ts";
import { malIdsOf } from "#app/domain/mal-ids.ts";
import { textArray } from "#db/arrays.ts";
import type { Transaction } from "#db/client.server.ts";
import { insertRows } from "#db/insert-rows.ts";
import {
  characters,
  characterVoices,
  detailPictures,
  detailState,
  episodeStills,
  people,
  titleCharacters,
  titleDetails,
  titleStaff,
  titleStreams,
  titleTags,
} from "#db/schema/details.ts";
import type { QueueClock } from "./clock.ts";
import { dueAfterAnswer, orTryAgain, queueStills, recordTitleFailure } from "./queue.server.ts";
import { aniList } from "./sources/anilist.server.ts";
import type { Named, TitleAnswer } from "./sources/detail-source.ts";

/** Stores a source's answers about titles in one transaction, so that after a crash either all or none are stored. */

/**
 * The fields that are taken from details. The main name, genres and the type stay as other sources have them. `rating`
 * is set only for titles for adults.
 */
const takenFields = [
  "titleEnglish",
  "titleJapanese",
  "status",
  "airedFrom",
  "airedTo",
  "season",
  "year",
  "episodes",
  "duration",
  "source",
  "score",
  "members",
  "favorites",
  "synopsis",
  "studios",
  "producers",
  "rating",
  "youtubeId",
  "trailerUrl",
  "trailerEmbedUrl",
  "externalIds",
] as const satisfies readonly FieldName[];

type Readable = { malId: number; answer: TitleAnswer; fields: TitleFields; children: PlacedChild[] };

export async function storeAnswers(
  answers: ReadonlyMap<number, TitleAnswer>,
  clock: QueueClock,
): Promise<void> {
  const readable: Readable[] = [];
  for (const [malId, answer] of answers) {
    const read = readRecords(malId, answer);
    if ("rejected" in read)
      await recordTitleFailure([malId], `The answer cannot be used: ${read.rejected}`, clock);
    else readable.push({ malId, answer, ...read });
  }
  if (readable.length === 0) return;
  readable.sort((one, other) => one.malId - other.malId);
  const malIds = malIdsOf(readable);
  await changeCatalog(malIds, async (transaction) => {
    const { leftOut } = await writeTitles(
      transaction,
      readable.map(({ malId, fields }) => ({ malId, source: aniList.name, fields, isForKnown: true })),
    );
    const stored = readable.filter(({ malId }) => !leftOut.has(malId));
    await writeChildren(
      transaction,
      stored.flatMap(({ children }) => children),
    );
    await writeCredits(transaction, stored);
    await writeLists(transaction, stored);
    for (const { malId, answer } of stored) await writeState(transaction, { malId, answer, clock });
    await queuePictures(
      transaction,
      stored.map(({ answer }) => answer),
      clock,
    );
    await queueStills(transaction, clock, malIdsOf(stored));
  });
}

function readRecords(
  malId: number,
  answer: TitleAnswer,
): Pick<Readable, "fields" | "children"> | { rejected: string } {
  const { title, children } = answer.recordsFor(malId);
  const record = parseRecord(title);
  if ("rejected" in record) return record;
  if (record.kind !== "title") return { rejected: "it is not about a title" };
  return {
    fields: knownFields(record, takenFields),
    children: children.flatMap((child) => {
      const parsed = parseRecord(child);
      // A relation or an episode that cannot be read is left out alone.
      return "rejected" in parsed ? [] : { ...(parsed as PlacedChild), source: aniList.name };
    }),
  };
}

const keyOf = ({ name, nameNative, otherNames }: Named): string =>
  [...new Set([name, nameNative ?? "", ...otherNames].map(indexKey))].filter(Boolean).join(" ");

/** One row for each number at the source. If an answer has it twice, the last one counts. */
const uniqueOf = (all: readonly Named[]): Map<string, Named> =>
  new Map(all.map((one) => [one.sourceId, one]));

type NumberColumn = "lastPerson" | "lastCharacter";

/** Writes people or characters, and returns our number of each by its number at the source. */
async function writeNamed(
  transaction: Transaction,
  { table, last }: { table: typeof people; last: NumberColumn },
  named: ReadonlyMap<string, Named>,
): Promise<Map<string, number>> {
  if (named.size === 0) return new Map();
  const rows = await transaction
    .select()
    .from(table)
    .where(and(eq(table.source, aniList.name), inArray(table.sourceId, [...named.keys()])));
  const known = new Map(rows.map((row) => [row.sourceId, row]));
  const fresh = [...named.keys()].filter((id) => !known.has(id));
  const first = await takeNumbers(transaction, last, fresh.length);
  const numbers = new Map(rows.map(({ sourceId, id }) => [sourceId, id]));
  for (const [at, sourceId] of fresh.entries()) numbers.set(sourceId, first + at);
  const values = [...named.values()].flatMap((one) => {
    const id = numbers.get(one.sourceId);
    if (id === undefined) return [];
    const { sourceId, name, nameNative, favorites, pictureUrl } = one;
    const before = known.get(sourceId);
    const row = {
      name,
      nameNative,
      key: keyOf(one),
      favorites: favorites ?? before?.favorites ?? null,
      pictureUrl: pictureUrl ?? before?.pictureUrl ?? null,
    };
    return before && isSame(before, row) ? [] : { id, source: aniList.name, sourceId, ...row };
  });
  if (values.length > 0)
    await transaction.execute(
      insertRows(
        table as PgTable,
        values,
        sql`on conflict (id) do update set name = excluded.name, name_native = excluded.name_native,
          key = excluded.key, favorites = excluded.favorites, picture_url = excluded.picture_url`,
      ),
    );
  return numbers;
}

const isSame = <Row extends object>(before: Row, row: Partial<Row>): boolean =>
  Object.entries(row).every(([name, value]) => before[name as keyof Row] === value);

/** Reserves `count` new numbers and returns the first. The row stays locked until the transaction ends. */
async function takeNumbers(transaction: Transaction, last: NumberColumn, count: number): Promise<number> {
  if (count === 0) return 0;
  await transaction.insert(detailState).values({}).onConflictDoNothing();
  const [row] = await transaction
    .update(detailState)
    .set({ [last]: sql`${detailState[last]} + ${count}` })
    .returning({ last: detailState[last] });
  if (!row) throw new Error("the numbers of people cannot be counted");
  return row.last - count + 1;
}

async function writeCredits(transaction: Transaction, stored: readonly Readable[]): Promise<void> {
  const cast = stored.flatMap(({ answer }) => answer.characters ?? []);
  const crew = stored.flatMap(({ answer }) => answer.staff ?? []);
  const personNumbers = await writeNamed(
    transaction,
    { table: people, last: "lastPerson" },
    uniqueOf([
      ...cast.flatMap(({ voices }) => voices.map(({ person }) => person)),
      ...crew.map(({ person }) => person),
    ]),
  );
  const characterNumbers = await writeNamed(
    transaction,
    { table: characters as unknown as typeof people, last: "lastCharacter" },
    uniqueOf(cast.map(({ character }) => character)),
  );
  const casts = stored.filter(({ answer }) => answer.characters !== null);
  const crews = stored.filter(({ answer }) => answer.staff !== null);
  const numberOf = (numbers: ReadonlyMap<string, number>, { sourceId }: Named) => numbers.get(sourceId) ?? 0;
  await replaceRows(transaction, titleCharacters, casts, ({ malId, answer }) =>
    (answer.characters ?? []).map(({ character, role }, position) => ({
      malId,
      characterId: numberOf(characterNumbers, character),
      role,
      position,
    })),
  );
  await replaceRows(transaction, characterVoices, casts, ({ malId, answer }) =>
    (answer.characters ?? []).flatMap(({ character, voices }) =>
      voices.map(({ person, language }, position) => ({
        malId,
        characterId: numberOf(characterNumbers, character),
        personId: numberOf(personNumbers, person),
        language,
        position,
      })),
    ),
  );
  await replaceRows(transaction, titleStaff, crews, ({ malId, answer }) =>
    (answer.staff ?? []).map(({ person, role }, position) => ({
      malId,
      personId: numberOf(personNumbers, person),
      role,
      position,
    })),
  );
}

async function writeLists(transaction: Transaction, stored: readonly Readable[]): Promise<void> {
  const having = (name: "tags" | "streams" | "stills") =>
    stored.filter(({ answer }) => answer[name] !== null);
  await replaceRows(transaction, titleTags, having("tags"), ({ malId, answer }) =>
    (answer.tags ?? []).map((tag) => ({ malId, ...tag })),
  );
  await replaceRows(transaction, titleStreams, having("streams"), ({ malId, answer }) =>
    (answer.streams ?? []).map((stream, position) => ({ malId, ...stream, position })),
  );
  await replaceRows(transaction, episodeStills, having("stills"), ({ malId, answer }) =>
    (answer.stills ?? []).map((still) => ({ malId, ...still })),
  );
}

/** Replaces all rows of these titles. A row that an answer has twice is written once. */
async function replaceRows<
  Table extends
    | typeof titleTags
    | typeof titleStreams
    | typeof episodeStills
    | typeof titleCharacters
    | typeof characterVoices
    | typeof titleStaff,
>(
  transaction: Transaction,
  table: Table,
  stored: readonly Readable[],
  rowsOf: (one: Readable) => Table["$inferInsert"][],
): Promise<void> {
  if (stored.length === 0) return;
  await transaction.delete(table).where(inArray(table.malId, malIdsOf(stored)));
  const rows = stored.flatMap(rowsOf);
  if (rows.length > 0)
    await transaction.execute(insertRows(table as PgTable, rows, sql`on conflict do nothing`));
}

async function writeState(
  transaction: Transaction,
  { malId, answer, clock }: { malId: number; answer: TitleAnswer; clock: QueueClock },
): Promise<void> {
  const { coverUrl, bannerUrl, isOver } = answer;
  const next = answer.next === "none" ? { episode: null, at: null } : answer.next;
  const values = {
    answeredAt: clock.now(),
    source: aniList.name,
    failures: 0,
    problem: null,
    isNumberUnknown: false,
    dueAt: dueAfterAnswer(clock, isOver, next?.at ?? null),
  };
  const nextColumns = next && { nextEpisode: next.episode, nextAirsAt: next.at };
  // An answer without this part leaves the next episode as it is.
  const nextEpisode = next === null ? titleDetails.nextEpisode : sql`excluded.next_episode`;
  // A missing picture may be a failure of the source, so an earlier address stays.
  const pictureColumns = { ...(coverUrl && { coverUrl }), ...(bannerUrl && { bannerUrl }) };
  await transaction
    .insert(titleDetails)
    .values({ malId, ...values, ...nextColumns, ...pictureColumns })
    .onConflictDoUpdate({
      target: titleDetails.malId,
      set: {
        ...values,
        answeredAt: sql`case when ${nextEpisode} = ${titleDetails.nextEpisode} then ${titleDetails.answeredAt}
          else excluded.answered_at end`,
        ...nextColumns,
        ...pictureColumns,
      },
    });
}

/**
 * New portraits are fetched only for the first characters with their first voice, and for the first staff. Whoever has a
 * portrait here gets the source's newer one.
 */
const portraitsPerTitle = { characters: 12, staff: 8 };

type PictureKind = (typeof detailPictures.$inferInsert)["kind"];

async function queuePictures(
  transaction: Transaction,
  answers: readonly TitleAnswer[],
  clock: QueueClock,
): Promise<void> {
  const rows = new Map<string, PictureKind>();
  const add = (kind: PictureKind, url: string | null | undefined) => {
    if (url && !rows.has(url)) rows.set(url, kind);
  };
  for (const { coverUrl, bannerUrl, characters: cast, staff } of answers) {
    add("cover", coverUrl);
    add("banner", bannerUrl);
    for (const { character, voices } of (cast ?? []).slice(0, portraitsPerTitle.characters)) {
      add("portrait", character.pictureUrl);
      add("portrait", voices[0]?.person.pictureUrl);
    }
    for (const { person } of (staff ?? []).slice(0, portraitsPerTitle.staff))
      add("portrait", person.pictureUrl);
  }
  const portraits = answers.flatMap(portraitsIn);
  for (const url of await listNewerPortraits(transaction, portraits)) add("portrait", url);
  if (rows.size === 0) return;
  const dueAt = clock.now();
  const values = [...rows].sort().map(([url, kind]) => ({ url, kind, dueAt }));
  await transaction.execute(insertRows(detailPictures, values, orTryAgain));
  // Portraits that were already fetched for another title are shown at once.
  for (const table of [people, characters])
    await transaction.execute(sql`
      update ${table} own set picture_cid = stored.cid from ${detailPictures} stored
      where stored.url = own.picture_url and own.picture_cid is distinct from stored.cid and stored.cid is not null
        and stored.url = any (${textArray(rows.keys())})`);
}

const portraitsIn = ({ characters: cast, staff }: TitleAnswer): string[] =>
  [
    ...(cast ?? []).flatMap(({ character, voices }) => [character, ...voices.map(({ person }) => person)]),
    ...(staff ?? []).map(({ person }) => person),
  ].flatMap(({ pictureUrl }) => pictureUrl ?? []);

/** Returns the addresses that belong to people and characters whose portrait is already stored here. */
async function listNewerPortraits(transaction: Transaction, urls: readonly string[]): Promise<string[]> {
  const rows = await transaction.execute<{ url: string }>(sql`
    select picture_url as url from ${people} where picture_cid is not null and picture_url = any (${textArray(urls)})
    union select picture_url from ${characters}
      where picture_cid is not null and picture_url = any (${textArray(urls)})`);
  return rows.map(({ url }) => url);
}

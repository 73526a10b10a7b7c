import { setImmediate as nextTurn } from "node:timers/promises";
import { eq, sql } from "drizzle-orm";
import { isOnAir } from "#app/domain/catalog/catalog.server.ts";
import { minutesIn, type RelationKind } from "#app/domain/catalog/catalog.ts";
import { changeCatalog } from "#app/domain/catalog-version/catalog-version.server.ts";
import { malIdsOf } from "#app/domain/mal-ids.ts";
import { searchKey } from "#app/domain/names/names.ts";
import { chunksOf, valuesByKey } from "#app/platform/lists.ts";
import { intArray } from "#db/arrays.ts";
import { db, type Transaction, withTransaction } from "#db/client.server.ts";
import { insertRows } from "#db/insert-rows.ts";
import { titleRelations, titles } from "#db/schema/catalog.ts";
import { catalogState, titleChanges } from "#db/schema/catalog-state.ts";
import { relationRecords, titleEdits } from "#db/schema/edits.ts";
import {
  franchiseConnections,
  franchiseCorrections,
  franchiseRedirects,
  franchiseState,
  franchises,
  franchiseTitles,
} from "#db/schema/franchises.ts";
import { arrange } from "./order/arrange.ts";
import { componentsOf } from "./order/components.ts";
import {
  type FranchiseCorrection,
  type FranchiseRelation,
  type FranchiseTitle,
  linksOf,
  type TitleLink,
} from "./order/links.ts";
import { assignFranchiseNumbers, type FormerNumber } from "./order/numbers.ts";

/**
 * Computes the franchises of all titles that changed since the last run, and of the titles that they are related to.
 * `franchise_state` has the catalog's version up to which franchises are computed. So the next run repeats one that was
 * interrupted, and the first start after the migration computes all franchises.
 */

/** Raise this when the rules for franchises change, so that the next start computes all of them again. */
const franchiseRules = 11;

const maxAttempts = 5;

export async function renewFranchises(): Promise<void> {
  for (let attempt = 1; ; attempt++)
    try {
      return await renewOnce();
    } catch (error) {
      if (!(error instanceof RenewedMeanwhile) || attempt === maxAttempts) throw error;
    }
}

/** Thrown to start again: another process has renewed franchises since this one read them. */
class RenewedMeanwhile extends Error {
  override name = "RenewedMeanwhile";
}

type State = { version: number; lastNumber: number; rules: number };
const neverComputed: State = { version: -1, lastNumber: 0, rules: franchiseRules };

async function renewOnce(): Promise<void> {
  const [state = neverComputed] = await db
    .select({
      version: franchiseState.version,
      lastNumber: franchiseState.lastNumber,
      rules: franchiseState.rules,
    })
    .from(franchiseState);
  const [catalog] = await db.select({ version: catalogState.version }).from(catalogState);
  const version = catalog?.version ?? 0;
  if (version <= state.version && state.rules === franchiseRules) return;
  const seeds = await listSeeds(state);
  const reached = await reachFrom(seeds);
  const before = await readRows(reached.visited);
  const former = await readFormerNumbers(before);
  const after = await computeRows(reached, { before, former }, state.lastNumber);
  const changed = changedFranchises(before, after);
  if (changed.size === 0) {
    await withTransaction((transaction) => moveState(transaction, state, { ...after, version }));
    return;
  }
  await changeCatalog([], async (transaction) => {
    await moveState(transaction, state, { ...after, version });
    await writeRows(transaction, { before, after, changed });
  });
}

/** The row lock keeps other processes from writing rows until this transaction ends. */
async function moveState(
  transaction: Transaction,
  from: State,
  { version, lastNumber }: Omit<State, "rules">,
) {
  const moved = await transaction.execute(sql`
    insert into ${franchiseState} (version, last_number, rules) values (${version}, ${lastNumber}, ${franchiseRules})
    on conflict ("only") do update
      set version = excluded.version, last_number = excluded.last_number, rules = excluded.rules
      where franchise_state.version = ${from.version} and franchise_state.rules = ${from.rules}
    returning 1`);
  if (moved.length === 0) throw new RenewedMeanwhile();
}

/**
 * The changed titles, all titles of their franchises, and those that these franchises are connected with, because a
 * relation may be gone. On the first run and after a change of the rules, all titles.
 */
async function listSeeds({ version, rules }: State): Promise<number[]> {
  if (version === neverComputed.version || rules !== franchiseRules) {
    const rows = await db
      .select({ malId: titleRelations.malId })
      .from(titleRelations)
      .union(db.select({ malId: franchiseTitles.malId }).from(franchiseTitles));
    return malIdsOf(rows);
  }
  const rows = await db.execute<{ mal_id: number }>(sql`
    with changed as (select mal_id from ${titleChanges} where version > ${version}),
      members as (
        select other.mal_id from changed join ${franchiseTitles} own using (mal_id)
          join ${franchiseTitles} other on other.franchise_id = own.franchise_id
      )
    select mal_id from changed union select mal_id from members
    union select related_id from ${franchiseConnections} where mal_id in (select mal_id from members)`);
  return rows.map((row) => row.mal_id);
}

type Reached = {
  corrections: readonly FranchiseCorrection[];
  titles: ReadonlyMap<number, FranchiseTitle>;
  /** All links of the visited titles. */
  links: readonly TitleLink[];
  /** The seeds and all that is linked with them, directly or through others. */
  visited: ReadonlySet<number>;
};

/** When an operator made the correction. The latest of contradicting corrections applies. */
const correctedAt = sql`(
  select coalesce(max(${titleEdits.at}), '-infinity') from ${titleEdits}
  where ${titleEdits.malId} = ${franchiseCorrections.malId}
    and ${titleEdits.field} = 'franchise ' || ${franchiseCorrections.correction})`;

/** Follows all links and corrections from the seeds, and those of what they lead to. */
async function reachFrom(seeds: readonly number[]): Promise<Reached> {
  const corrections = await db
    .select()
    .from(franchiseCorrections)
    .orderBy(correctedAt, franchiseCorrections.malId, franchiseCorrections.correction);
  const partnersOf = new Map<number, number[]>();
  for (const { malId, relatedId } of corrections) {
    if (relatedId === null) continue;
    partnersOf.set(malId, [...(partnersOf.get(malId) ?? []), relatedId]);
    partnersOf.set(relatedId, [...(partnersOf.get(relatedId) ?? []), malId]);
  }
  const known = new Map<number, FranchiseTitle>();
  const links = new Map<string, TitleLink>();
  const visited = new Set<number>();
  let frontier: readonly number[] = seeds;
  while (frontier.length > 0) {
    const relations = await readRelations(frontier);
    const near = new Set(relations.flatMap(({ from, to }) => [from, to]));
    const linked = new Set<number>();
    for (const malId of frontier) {
      near.add(malId);
      for (const partner of partnersOf.get(malId) ?? []) linked.add(partner);
    }
    for (const title of await readTitles([...near].filter((malId) => !known.has(malId))))
      known.set(title.malId, title);
    for (const link of linksOf(known, relations)) {
      links.set(`${link.from} ${link.to}`, link);
      linked.add(link.from).add(link.to);
    }
    for (const malId of frontier) visited.add(malId);
    frontier = [...linked].filter((malId) => !visited.has(malId));
  }
  return { corrections, titles: known, links: [...links.values()], visited };
}

async function readRelations(malIds: readonly number[]): Promise<FranchiseRelation[]> {
  const rows = await db.execute<{
    mal_id: number;
    related_id: number;
    relation: RelationKind;
    sources: number;
    is_untyped: boolean;
  }>(sql`
    with near as (
      select mal_id, related_id, relation from ${titleRelations}
        where mal_id = any(${intArray(malIds)})
      union
      select mal_id, related_id, relation from ${titleRelations}
        where related_id = any(${intArray(malIds)})
    )
    select mal_id, related_id, relation, count(record.source)::int as sources,
      relation = 'other' and coalesce(bool_and(record.source = 'offline-database'), false) as is_untyped
    from near left join ${relationRecords} record using (mal_id, related_id, relation)
    group by 1, 2, 3`);
  return rows.map((row) => ({
    from: row.mal_id,
    to: row.related_id,
    kind: row.relation,
    sources: row.sources,
    isUntyped: row.is_untyped,
  }));
}

/** Some sources know only the season in which a title began. */
const releasedAt = sql<number | null>`(1000 * extract(epoch from coalesce(
  aired_from,
  make_timestamptz(year, case season when 'Spring' then 4 when 'Summer' then 7 when 'Fall' then 10 else 1 end, 1, 0, 0, 0, 'UTC')
)))::float8`;

/**
 * Series such as One Piece have about one episode a week, but no known number of episodes. Counted until the last renewal
 * of the franchise.
 */
const weeksOnAir = sql<number | null>`case when ${titles.episodes} is null and ${isOnAir}
  then floor(extract(epoch from now() - ${titles.airedFrom}) / 604800)::int end`;

/** The 12 in `Recap of episodes 1-12`. Only ranges that begin with episode 1 count. */
const sumsUpUntil = sql<number | null>`substring(concat_ws(' ', title, synopsis)
  from '(?i)\\yep(?:isode)?s?\\.?\\s*#?0*1\\s*(?:-|\\u2013|\\u2014|~|to|through)\\s*#?0*(\\d{1,3})\\y')::int`;

async function readTitles(malIds: readonly number[]): Promise<FranchiseTitle[]> {
  if (malIds.length === 0) return [];
  const rows = await db
    .select({
      malId: titles.malId,
      title: titles.title,
      titleEnglish: titles.titleEnglish,
      type: titles.type,
      episodes: titles.episodes,
      weeksOnAir,
      duration: titles.duration,
      members: titles.members,
      releasedAt,
      sumsUpUntil,
    })
    .from(titles)
    .where(sql`${titles.malId} = any(${intArray(malIds)})`);
  return rows.map(({ title, titleEnglish, duration, members, ...row }) => ({
    ...row,
    minutes: minutesIn(duration),
    members: members ?? 0,
    releasedAt: row.releasedAt ?? Number.POSITIVE_INFINITY,
    names: (titleEnglish === null ? [title] : [title, titleEnglish]).map(searchKey),
  }));
}

type Row = typeof franchiseTitles.$inferSelect;
/** The rows of titles, and the titles that franchises are connected with, as `from to`. */
type Rows = { rows: ReadonlyMap<number, Row>; connections: ReadonlySet<string> };

async function readRows(malIds: Iterable<number>): Promise<Rows> {
  const array = intArray(malIds);
  const isAffected = (column: typeof franchiseTitles.malId | typeof franchiseConnections.malId) =>
    sql`${column} = any(${array})`;
  const [rows, connections] = await Promise.all([
    db.select().from(franchiseTitles).where(isAffected(franchiseTitles.malId)),
    db.select().from(franchiseConnections).where(isAffected(franchiseConnections.malId)),
  ]);
  return {
    rows: new Map(rows.map((row) => [row.malId, row])),
    connections: new Set(connections.map(({ malId, relatedId }) => `${malId} ${relatedId}`)),
  };
}

/** The numbers that lead to franchises of these rows. */
async function readFormerNumbers({ rows }: Rows): Promise<FormerNumber[]> {
  const numbers = intArray(new Set([...rows.values()].map(({ franchiseId }) => franchiseId)));
  return db.select().from(franchiseRedirects).where(sql`${franchiseRedirects.toId} = any(${numbers})`);
}

type Computed = Rows & {
  lastNumber: number;
  /** Numbers that lead to another franchise than before. */
  redirects: readonly FormerNumber[];
  /** Numbers of franchises that are new, or that separated again from the one that had taken them in. */
  newNumbers: readonly number[];
};

/** Lets requests run in between: the franchises of a whole catalog take a second. */
const franchisesPerTurn = 100;

async function computeRows(
  reached: Reached,
  { before, former }: { before: Rows; former: readonly FormerNumber[] },
  lastNumberBefore: number,
): Promise<Computed> {
  const corrections = reached.corrections.filter(({ malId }) => reached.visited.has(malId));
  const components = componentsOf(reached.titles, reached.links, corrections);
  const numbers = assignFranchiseNumbers(
    components.map(({ titles: malIds }) => malIds),
    new Map([...before.rows].map(([malId, { franchiseId }]) => [malId, franchiseId])),
    former,
  );
  const formerNumbers = new Map(former.map((number) => [number.fromId, number]));
  const titlesOf = valuesByKey(
    Array.from(before.rows.values(), ({ malId, franchiseId }) => [franchiseId, malId]),
  );
  const rows = new Map<number, Row>();
  const connections = new Set<string>();
  const redirects: FormerNumber[] = [];
  const newNumbers: number[] = [];
  let lastNumber = lastNumberBefore;
  for (const [index, component] of components.entries()) {
    if (index % franchisesPerTurn === 0) await nextTurn();
    const { id, takesIn = [] } = numbers[index] ?? { id: null };
    const franchiseId = id ?? ++lastNumber;
    if (id === null || formerNumbers.has(id)) newNumbers.push(franchiseId);
    for (const fromId of takesIn) {
      const { toId, malIds } = formerNumbers.get(fromId) ?? { malIds: titlesOf.get(fromId) ?? [] };
      if (toId !== franchiseId) redirects.push({ fromId, toId: franchiseId, malIds });
    }
    const members = component.titles.flatMap((malId) => reached.titles.get(malId) ?? []);
    for (const place of arrange(members, component.links, corrections))
      rows.set(place.malId, { ...place, franchiseId });
    for (const { from, to } of component.cuts) connections.add(`${from} ${to}`).add(`${to} ${from}`);
  }
  return { rows, connections, lastNumber, redirects, newNumbers };
}

/** The numbers of all franchises that gain, lose or move a title or a connection. */
function changedFranchises(before: Rows, after: Computed): ReadonlySet<number> {
  const changed = new Set<number>();
  const add = (row: Row | undefined) => row && changed.add(row.franchiseId);
  for (const malId of new Set([...before.rows.keys(), ...after.rows.keys()])) {
    const [old, row] = [before.rows.get(malId), after.rows.get(malId)];
    if (old && row && isSameRow(old, row)) continue;
    add(old);
    add(row);
  }
  for (const pair of symmetricDifference(before.connections, after.connections)) {
    const malId = Number(pair.split(" ")[0]);
    add(before.rows.get(malId));
    add(after.rows.get(malId));
  }
  return changed;
}

const isSameRow = (one: Row, other: Row): boolean =>
  (Object.keys(one) as (keyof Row)[]).every((column) => one[column] === other[column]);

const symmetricDifference = (one: ReadonlySet<string>, other: ReadonlySet<string>): string[] => [
  ...[...one].filter((value) => !other.has(value)),
  ...[...other].filter((value) => !one.has(value)),
];

const rowsPerStatement = 5000;

type Change = { before: Rows; after: Computed; changed: ReadonlySet<number> };

async function writeRows(transaction: Transaction, { before, after, changed }: Change): Promise<void> {
  const ofChanged = ({ rows }: Rows) =>
    [...rows.values()].filter(({ franchiseId }) => changed.has(franchiseId));
  const [gone, added] = [ofChanged(before), ofChanged(after)];
  const malIds = intArray(new Set(malIdsOf([...gone, ...added])));
  await transaction.execute(sql`delete from ${franchiseTitles} where mal_id = any(${malIds})`);
  await transaction.execute(sql`delete from ${franchiseConnections} where mal_id = any(${malIds})`);
  for (const part of chunksOf(
    after.newNumbers.map((id) => ({ id })),
    rowsPerStatement,
  ))
    await transaction.execute(insertRows(franchises, part));
  await redirect(transaction, after);
  for (const part of chunksOf(added, rowsPerStatement))
    await transaction.execute(insertRows(franchiseTitles, part));
  const connections = [...after.connections].map((pair) => {
    const [malId = 0, relatedId = 0] = pair.split(" ").map(Number);
    return { malId, relatedId };
  });
  const moved = new Set(malIdsOf(added));
  for (const part of chunksOf(
    connections.filter(({ malId }) => moved.has(malId)),
    rowsPerStatement,
  ))
    await transaction.execute(insertRows(franchiseConnections, part));
  const numbers = intArray(changed);
  await transaction.execute(sql`
    delete from ${franchises} where id = any(${numbers})
      and not exists (select from ${franchiseTitles} where franchise_id = franchises.id)`);
}

/** Old numbers of a franchise that is taken in must lead to the one that takes it in, too. */
async function redirect(
  transaction: Transaction,
  { redirects, newNumbers }: Pick<Computed, "redirects" | "newNumbers">,
): Promise<void> {
  for (const { fromId, toId } of redirects)
    await transaction.update(franchiseRedirects).set({ toId }).where(eq(franchiseRedirects.toId, fromId));
  const anew = intArray([...newNumbers, ...redirects.map(({ fromId }) => fromId)]);
  await transaction.execute(sql`delete from ${franchiseRedirects} where from_id = any(${anew})`);
  for (const part of chunksOf(redirects, rowsPerStatement))
    await transaction.execute(insertRows(franchiseRedirects, part));
}

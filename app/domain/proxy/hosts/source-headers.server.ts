import { and, asc, eq, inArray, sql } from "drizzle-orm";
import { LRUCache } from "lru-cache";
import { cachePerVersion } from "#app/domain/catalog-version/catalog-version.server.ts";
import { done, type Outcome, refuse } from "#app/domain/errors.ts";
import { unrestricted, visibleTo } from "#app/domain/visibility/visibility.server.ts";
import { valuesByKey } from "#app/platform/lists.ts";
import { errorFields, log } from "#app/platform/log.server.ts";
import { decrypt, encrypt } from "#app/platform/process/encryption.server.ts";
import { seconds } from "#app/platform/units.ts";
import { abortable } from "#app/platform/upstream/abortable.ts";
import { db, type Transaction } from "#db/client.server.ts";
import { titles } from "#db/schema/catalog.ts";
import { episodeSources, sourceHeaders } from "#db/schema/episodes.ts";
import { isSecretHeader, type SourceHeaderName } from "../proxy.ts";

/**
 * Request headers that an operator gives a source. The database holds them encrypted. The encryption binds a value to
 * its source and to the origin of the source's URL, so that nobody can point the source at a server that collects them.
 */

/** Null removes a header; headers that are not named are unchanged. */
export type HeaderChange = Partial<Record<SourceHeaderName, string | null>>;
export type ShownHeader = {
  name: SourceHeaderName;
  /** Null for a secret header, and for a header that cannot be decrypted. */
  value: string | null;
  isReadable: boolean;
};
type HeaderRow = { sourceId: string; url: string; name: SourceHeaderName; encryptedValue: string };

const maxValueLength = 4000;

export function checkHeaders(url: string, change: HeaderChange): Outcome<null> {
  const values = Object.entries(change);
  if (values.some(([, value]) => value !== null) && originOf(url) === null)
    return refuse("invalid", "Only a video with an http or https address can have headers");
  for (const [name, value] of values)
    if (value !== null && (!/^[!-~](?:[ -~]*[!-~])?$/.test(value) || value.length > maxValueLength))
      return refuse(
        "invalid",
        `${name}: must be one line of at most ${maxValueLength} ASCII characters, without spaces around it`,
      );
  return done(null);
}

/** The caller has checked the change. */
export async function writeHeaders(
  transaction: Transaction,
  { id, url }: { id: string; url: string },
  change: HeaderChange,
): Promise<void> {
  for (const [name, value] of Object.entries(change) as [SourceHeaderName, string | null][]) {
    if (value === null)
      await transaction
        .delete(sourceHeaders)
        .where(and(eq(sourceHeaders.sourceId, id), eq(sourceHeaders.name, name)));
    else {
      const encryptedValue = encrypt(value, contextOf({ sourceId: id, url, name }));
      await transaction
        .insert(sourceHeaders)
        .values({ sourceId: id, name, encryptedValue })
        .onConflictDoUpdate({
          target: [sourceHeaders.sourceId, sourceHeaders.name],
          set: { encryptedValue },
        });
    }
  }
}

/**
 * Deletes the headers if the new URL has another origin, because they were meant for the first server only. Returns
 * whether any were deleted.
 */
export async function deleteHeadersOfOtherOrigin(
  transaction: Transaction,
  id: string,
  { oldUrl, newUrl }: { oldUrl: string; newUrl: string },
): Promise<boolean> {
  if (originOf(oldUrl) === originOf(newUrl)) return false;
  const deleted = await transaction
    .delete(sourceHeaders)
    .where(eq(sourceHeaders.sourceId, id))
    .returning({ name: sourceHeaders.name });
  return deleted.length > 0;
}

const contextOf = ({ sourceId, url, name }: Omit<HeaderRow, "encryptedValue">) => [
  "header of a source",
  sourceId,
  originOf(url) ?? "",
  name,
];

function originOf(url: string): string | null {
  return /^https?:\/\//i.test(url) && URL.canParse(url) ? new URL(url).origin : null;
}

const headerRows = () =>
  db
    .select({
      sourceId: sourceHeaders.sourceId,
      url: episodeSources.url,
      name: sourceHeaders.name,
      encryptedValue: sourceHeaders.encryptedValue,
    })
    .from(sourceHeaders)
    .innerJoin(episodeSources, eq(episodeSources.id, sourceHeaders.sourceId));

type OfEpisode = { malId?: number | undefined; episode?: number | undefined };
const isOfEpisode = ({ malId, episode }: OfEpisode) =>
  and(
    malId === undefined ? undefined : eq(episodeSources.malId, malId),
    episode === undefined ? undefined : eq(episodeSources.episode, episode),
  );

/** The headers as operators may see them, without the values of Cookie and Authorization. */
export async function listSourceHeaders(at: OfEpisode = {}): Promise<Map<string, ShownHeader[]>> {
  const rows = await headerRows().where(isOfEpisode(at)).orderBy(asc(sourceHeaders.name));
  return valuesByKey(
    rows.map((row) => {
      const { name, sourceId } = row;
      const value = decryptRow(row);
      return [sourceId, { name, value: isSecretHeader(name) ? null : value, isReadable: value !== null }];
    }),
  );
}

export type SourceWithHeaders = { id: string; episode: number; url: string };

/** The sources of these episodes that have headers, in the order in which viewers get them. */
export const listSourcesWithHeaders = (
  malId: number,
  episodes: readonly number[],
): Promise<SourceWithHeaders[]> =>
  db
    .select({ id: episodeSources.id, episode: episodeSources.episode, url: episodeSources.url })
    .from(episodeSources)
    .where(
      and(
        eq(episodeSources.malId, malId),
        inArray(episodeSources.episode, [...episodes]),
        sql`exists (select from ${sourceHeaders} where ${sourceHeaders.sourceId} = ${episodeSources.id})`,
      ),
    )
    .orderBy(asc(episodeSources.position));

/**
 * Logs a value that cannot be decrypted. Otherwise a request that an upstream refuses would be the only sign of a
 * changed SESSION_SECRET.
 */
function decryptRow(row: HeaderRow): string | null {
  const value = decrypt(row.encryptedValue, contextOf(row));
  if (value === null)
    log.warnOnce(
      `header ${row.sourceId} ${row.name}`,
      "a header of a source cannot be decrypted with SESSION_SECRET and is not sent; enter it again",
      { source: row.sourceId, header: row.name },
    );
  return value;
}

/** The headers that the server of `target` gets; none if it is not the source's own server. */
export type HeadersOf = (target: URL) => Record<string, string>;

/** `headersOf` is null if the source was deleted. */
type KnownSource = { headersOf: HeadersOf | null };

/**
 * Cached until the catalog's version changes, which every edit of a source does on all instances. A read from before an
 * edit is cached under the old version, so it can never come back after the edit.
 */
const readAtVersion = cachePerVersion<KnownSource>(1000);
const lastKnown = new LRUCache<string, KnownSource>({ max: 1000 });

/**
 * For this time after a failed read, requests wait only briefly for the database. Otherwise each segment would wait for
 * the time limit of a query.
 */
const downForMs = seconds(5);
const maxWaitWhileDownMs = 500;
let failedAt = Number.NEGATIVE_INFINITY;

/**
 * If the database cannot be reached, the last known headers are used, so that videos keep playing. `unreadable`: none
 * are known. The request must then fail, because without its headers the source's server may send something else.
 */
export async function getHeadersOf(id: string): Promise<KnownSource | "unreadable"> {
  const reading = readAtVersion(id, () => readSource(id));
  const isDown = performance.now() - failedAt < downForMs;
  try {
    const read = await (isDown ? abortable(reading, AbortSignal.timeout(maxWaitWhileDownMs)) : reading);
    lastKnown.set(id, read);
    return read;
  } catch (error) {
    failedAt = performance.now();
    log.warn("could not read the headers of a source", errorFields(error));
    return lastKnown.get(id) ?? "unreadable";
  }
}

/**
 * Reads the URL and the headers in one query, so that headers are never combined with a URL from before an edit. The
 * sources of a title that is hidden from everybody count as deleted.
 */
async function readSource(sourceId: string): Promise<KnownSource> {
  const rows = await db
    .select({
      url: episodeSources.url,
      name: sourceHeaders.name,
      encryptedValue: sourceHeaders.encryptedValue,
    })
    .from(episodeSources)
    .innerJoin(titles, and(eq(titles.malId, episodeSources.malId), visibleTo(unrestricted)))
    .leftJoin(sourceHeaders, eq(sourceHeaders.sourceId, episodeSources.id))
    .where(eq(episodeSources.id, sourceId));
  const [first] = rows;
  if (!first) return { headersOf: null };
  const headers: Record<string, string> = {};
  for (const { url, name, encryptedValue } of rows) {
    if (name === null || encryptedValue === null) continue;
    const value = decryptRow({ sourceId, url, name, encryptedValue });
    if (value !== null) headers[name.toLowerCase()] = value;
  }
  return { headersOf: (target) => (isOwnServer(first.url, target) ? headers : {}) };
}

/** Whether `target` has the host and port of the source. Headers that were given for https never travel over http. */
export function isOwnServer(sourceUrl: string, target: URL): boolean {
  if (originOf(sourceUrl) === null) return false;
  const source = new URL(sourceUrl);
  return target.host === source.host && (target.protocol === "https:" || source.protocol === "http:");
}

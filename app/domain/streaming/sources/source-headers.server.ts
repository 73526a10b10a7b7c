import { and, asc, eq, sql } from "drizzle-orm";
import { LRUCache } from "lru-cache";
import { done, type Outcome, refuse } from "#app/domain/errors.ts";
import { errorFields, log } from "#app/platform/log.server.ts";
import { decrypt, encrypt } from "#app/platform/process/encryption.server.ts";
import { seconds } from "#app/platform/units.ts";
import { db, type Transaction } from "#db/client.server.ts";
import { episodeSources, sourceHeaders } from "#db/schema/catalog.ts";
import { isSecretHeader, type SourceHeaderName } from "../streaming.ts";

/**
 * Request headers that an operator gives a source. The database holds them encrypted. The encryption binds a value to
 * its source and to the origin of the source's URL, so that nobody can point the source at a server that collects them.
 */

/** Null removes a header; headers that are not named stay. */
export type HeaderChange = Partial<Record<SourceHeaderName, string | null>>;
export type ShownHeader = {
  name: SourceHeaderName;
  /** Null for a secret one, and for one that cannot be decrypted. */
  value: string | null;
  isReadable: boolean;
};
type HeaderRow = { sourceId: string; url: string; name: SourceHeaderName; encryptedValue: string };

const maxValueLength = 4000;

export function checkHeaders(url: string, change: HeaderChange): Outcome<null> {
  const values = Object.entries(change);
  if (values.some(([, value]) => value !== null) && originOf(url) === null)
    return refuse("invalid", "Only a source with an http or https address can have headers");
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

/** Returns whether there were any. Another server must not get the headers that were meant for the first one. */
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

/** What an operator may see of the headers: never the values of Cookie and Authorization. */
export async function listSourceHeaders(at: OfEpisode = {}): Promise<Map<string, ShownHeader[]>> {
  const rows = await headerRows().where(isOfEpisode(at)).orderBy(asc(sourceHeaders.name));
  const shown = new Map<string, ShownHeader[]>();
  for (const row of rows) {
    const value = decryptRow(row);
    const header = {
      name: row.name,
      value: isSecretHeader(row.name) ? null : value,
      isReadable: value !== null,
    };
    shown.set(row.sourceId, [...(shown.get(row.sourceId) ?? []), header]);
  }
  return shown;
}

/** The ids of the episode's sources that have headers, by URL. */
export async function listSourcesWithHeaders(at: Required<OfEpisode>): Promise<Map<string, string>> {
  const rows = await db
    .select({ url: episodeSources.url, id: episodeSources.id })
    .from(episodeSources)
    .where(
      and(
        isOfEpisode(at),
        sql`exists (select from ${sourceHeaders} where ${sourceHeaders.sourceId} = ${episodeSources.id})`,
      ),
    );
  return new Map(rows.map(({ url, id }) => [url, id]));
}

/** Without this, a request that an upstream refuses would be the only sign of a changed SESSION_SECRET. */
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

const freshForMs = seconds(10);
const known = new LRUCache<string, { headersOf: HeadersOf | undefined; readAt: number }>({ max: 1000 });

/** For the process that changed the headers; the others notice within seconds. */
export const forgetHeaders = (id: string) => void known.delete(id);

/**
 * Undefined if the source has no headers or was deleted. If the database cannot be reached, the last known headers stay,
 * so that videos keep playing.
 */
export async function findHeadersOf(id: string): Promise<HeadersOf | undefined> {
  const found = known.get(id);
  if (found && Date.now() - found.readAt < freshForMs) return found.headersOf;
  try {
    const headersOf = toHeadersOf(await headerRows().where(eq(sourceHeaders.sourceId, id)));
    known.set(id, { headersOf, readAt: Date.now() });
    return headersOf;
  } catch (error) {
    log.warn("could not read the headers of a source", errorFields(error));
    return found?.headersOf;
  }
}

function toHeadersOf(rows: readonly HeaderRow[]): HeadersOf | undefined {
  const [first] = rows;
  if (!first) return undefined;
  const headers: Record<string, string> = {};
  for (const row of rows) {
    const value = decryptRow(row);
    if (value !== null) headers[row.name.toLowerCase()] = value;
  }
  const source = new URL(first.url);
  return (target) => (isOwnServer(source, target) ? headers : {});
}

/** The same host and port. Headers that were given for https never travel over http. */
const isOwnServer = (source: URL, target: URL) =>
  target.host === source.host && (target.protocol === "https:" || source.protocol === "http:");

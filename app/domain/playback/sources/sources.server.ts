import { and, eq, inArray, isNull, ne, type SQL, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/pg-core";
import {
  maxEpisodeNumber,
  maxMalId,
  type SkipSegment,
  type SourceType,
} from "#app/domain/catalog/catalog.ts";
import { changeCatalog } from "#app/domain/catalog-version/catalog-version.server.ts";
import { done, type Outcome, refuse } from "#app/domain/errors.ts";
import { type Actor, recordEvent } from "#app/domain/events/events.server.ts";
import {
  mediaPathIn,
  registerFilm,
  searchDiskFolder,
  splitRoot,
  tidyMediaUrl,
} from "#app/domain/films/films.server.ts";
import {
  checkHeaders,
  deleteHeadersOfOtherOrigin,
  type HeaderChange,
  writeHeaders,
} from "#app/domain/proxy/proxy.server.ts";
import { type FilmProposal, proposeFilms } from "#app/domain/scanning/scanning.server.ts";
import { anybody, seesFilms } from "#app/domain/visibility/visibility.server.ts";
import { isSubtitleFile, readSubtitleName, subtitleLabel } from "#app/media/subtitles/subtitle-names.ts";
import { groupBy } from "#app/platform/lists.ts";
import { extensionOf, filmFormats, isPlaylistPath } from "#app/platform/media-types.ts";
import { isUuid } from "#app/platform/uuid.ts";
import { db, type Transaction } from "#db/client.server.ts";
import { titles } from "#db/schema/catalog.ts";
import { episodeSources, episodeSubtitles, episodes, skipSegments } from "#db/schema/episodes.ts";
import { films } from "#db/schema/films.ts";

/** Stores the sources, subtitles and skip segments that operators register for an episode. */

export type EpisodeKey = { malId: number; episode: number };
type NewSource = EpisodeKey & {
  url: string;
  type?: SourceType | undefined;
  label?: string | null | undefined;
  language?: string | null | undefined;
};
export type RegisteredSource = Required<NewSource> & { id: string; title: string; position: number };
type NewSubtitles = EpisodeKey & { url: string; language: string; label?: string | null | undefined };

const noSuchTitleRefusal = refuse("not_found", "No such title");
const noSuchSourceRefusal = refuse("not_found", "There is no such video");

/** A source must be an http(s) URL, a root-relative path or a file in MEDIA_DIR; a player could load nothing else. */
function checkSourceUrl(url: string): Outcome<string> {
  const isPlayable = isMediaPath(url) || /^\/(?![/\\])/.test(url) || isWebUrl(url);
  return isPlayable && url.length <= 4000 && !/\p{Cc}/u.test(url)
    ? done(isMediaPath(url) ? tidyMediaUrl(url) : url)
    : refuse(
        "invalid",
        "The address of a video must be an http or https address, a path that begins with /, or media:PATH",
      );
}

/** Names that begin with a dot (hidden files and `..`) are never served, so they cannot be registered. */
const isMediaPath = (url: string) => {
  const path = mediaPathIn(url);
  return path !== null && !/^\.|[/\\]\./.test(splitRoot(path).inside);
};

const isWebUrl = (url: string) => /^https?:\/\//i.test(url) && URL.canParse(url);

function sourceTypeOf(url: string): SourceType {
  const path = url.replace(/[?#].*$/s, "");
  return isPlaylistPath(path) ? "hls" : (filmFormats.get(extensionOf(path))?.source ?? "file");
}

export const listSources = (at: Partial<EpisodeKey> = {}): Promise<RegisteredSource[]> =>
  db
    .select({
      id: episodeSources.id,
      malId: episodeSources.malId,
      title: titles.title,
      episode: episodeSources.episode,
      url: episodeSources.url,
      type: episodeSources.type,
      label: episodeSources.label,
      language: episodeSources.language,
      position: episodeSources.position,
    })
    .from(episodeSources)
    .innerJoin(titles, eq(titles.malId, episodeSources.malId))
    .where(isAt(episodeSources, at))
    .orderBy(episodeSources.malId, episodeSources.episode, episodeSources.position, episodeSources.url);

export const listSubtitles = (at: Partial<EpisodeKey> = {}) =>
  db
    .select({
      id: episodeSubtitles.id,
      malId: episodeSubtitles.malId,
      title: titles.title,
      episode: episodeSubtitles.episode,
      url: episodeSubtitles.url,
      language: episodeSubtitles.language,
      label: episodeSubtitles.label,
    })
    .from(episodeSubtitles)
    .innerJoin(titles, eq(titles.malId, episodeSubtitles.malId))
    .where(isAt(episodeSubtitles, at))
    .orderBy(episodeSubtitles.malId, episodeSubtitles.episode, episodeSubtitles.position);

const isAt = (
  table: typeof episodeSources | typeof episodeSubtitles,
  { malId, episode }: Partial<EpisodeKey>,
): SQL | undefined =>
  and(
    malId === undefined ? undefined : eq(table.malId, malId),
    episode === undefined ? undefined : eq(table.episode, episode),
  );

/**
 * Adds a source after those the episode has. If the URL is registered already, updates its type, label and language.
 */
export async function createSource(
  source: NewSource,
  headers: HeaderChange = {},
): Promise<Outcome<{ id: string; isNew: boolean }>> {
  const checked = findEpisodeKeyRefusal(source) ?? checkSourceUrl(source.url);
  if (!checked.ok) return checked;
  const checkedHeaders = checkHeaders(source.url, headers);
  if (!checkedHeaders.ok) return checkedHeaders;
  return changeCatalog<Outcome<{ id: string; isNew: boolean }>>([], async (transaction) => {
    const { malId, episode, type = sourceTypeOf(source.url), label = null, language = null } = source;
    const url = checked.value;
    if (!(await isTitle(transaction, malId))) return noSuchTitleRefusal;
    // A scan locks films before it writes their episodes. The opposite order could deadlock with it.
    const filmId = await registerFilm(transaction, url);
    await createEpisode(transaction, source);
    const [row] = await transaction
      .insert(episodeSources)
      .values({
        malId,
        episode,
        url,
        type,
        label,
        language,
        position: nextPosition(episodeSources, source),
        filmId,
      })
      .onConflictDoUpdate({
        target: [episodeSources.malId, episodeSources.episode, episodeSources.url],
        set: { type, label, language },
      })
      .returning({ id: episodeSources.id, isNew: sql<boolean>`xmax = 0` });
    if (row) await writeHeaders(transaction, { id: row.id, url }, headers);
    return row ? done(row) : noSuchSourceRefusal;
  });
}

/** `losesHeaders`: the source's headers were deleted, because the new URL has another origin. */
export async function updateSource(
  id: string,
  change: Partial<Pick<RegisteredSource, "url" | "type" | "label" | "language" | "position">>,
): Promise<Outcome<{ losesHeaders: boolean }>> {
  const checked = change.url === undefined ? done("") : checkSourceUrl(change.url);
  if (!checked.ok) return checked;
  if (!isUuid(id)) return noSuchSourceRefusal;
  return changeCatalog<Outcome<{ losesHeaders: boolean }>>([], async (transaction) => {
    const isKnown = (await transaction.$count(episodeSources, eq(episodeSources.id, id))) > 0;
    if (!isKnown) return noSuchSourceRefusal;
    // Before the source, as scans do.
    const filmId = change.url === undefined ? undefined : await registerFilm(transaction, checked.value);
    const oldUrl = await findUrl(transaction, id);
    if (oldUrl === null) return noSuchSourceRefusal;
    const newUrl = change.url === undefined ? oldUrl : checked.value;
    if (newUrl !== oldUrl && (await isUrlTaken(transaction, id, newUrl)))
      return refuse("conflict", "The episode already has a video at this address");
    await transaction
      .update(episodeSources)
      .set({ ...change, url: newUrl, filmId })
      .where(eq(episodeSources.id, id));
    return done({ losesHeaders: await deleteHeadersOfOtherOrigin(transaction, id, { oldUrl, newUrl }) });
  });
}

export async function updateSourceHeaders(
  id: string,
  change: HeaderChange,
  actor: Actor,
): Promise<Outcome<null>> {
  if (!isUuid(id)) return noSuchSourceRefusal;
  return changeCatalog<Outcome<null>>([], async (transaction) => {
    const url = await findUrl(transaction, id);
    if (url === null) return noSuchSourceRefusal;
    const checked = checkHeaders(url, change);
    if (!checked.ok) return checked;
    await writeHeaders(transaction, { id, url }, change);
    await recordEvent({ kind: "source_headers_changed", actor, detail: hostOf(url) }, transaction);
    return checked;
  });
}

/** The event records only the host, because the path of a URL may contain an access key. */
const hostOf = (url: string) => (URL.canParse(url) ? new URL(url).host : "");

/** Locks the row, so that the URL and the headers for its host change together. */
async function findUrl(transaction: Transaction, id: string): Promise<string | null> {
  const [source] = await transaction
    .select({ url: episodeSources.url })
    .from(episodeSources)
    .where(eq(episodeSources.id, id))
    .for("update");
  return source?.url ?? null;
}

async function isUrlTaken(transaction: Transaction, id: string, url: string): Promise<boolean> {
  const own = alias(episodeSources, "own");
  const others = await transaction
    .select({ id: episodeSources.id })
    .from(episodeSources)
    .innerJoin(own, and(eq(own.malId, episodeSources.malId), eq(own.episode, episodeSources.episode)))
    .where(and(eq(own.id, id), eq(episodeSources.url, url), ne(episodeSources.id, id)));
  return others.length > 0;
}

/**
 * Deletes a source for good. A film without a state was added by hand; it is marked as registered, so that a scan does
 * not add its source again.
 */
export async function deleteSource(id: string): Promise<Outcome<null>> {
  if (!isUuid(id)) return noSuchSourceRefusal;
  return changeCatalog([], async (transaction) => {
    const film = transaction
      .select({ id: episodeSources.filmId })
      .from(episodeSources)
      .where(eq(episodeSources.id, id));
    // Before the source, as scans do.
    await transaction
      .update(films)
      .set({ state: "registered" })
      .where(and(inArray(films.id, film), isNull(films.state)));
    const rows = await transaction
      .delete(episodeSources)
      .where(eq(episodeSources.id, id))
      .returning({ id: episodeSources.id });
    return rows.length > 0 ? done(null) : noSuchSourceRefusal;
  });
}

export async function deleteSubtitles(id: string): Promise<Outcome<null>> {
  if (!isUuid(id)) return noSuchSourceRefusal;
  return changeCatalog([], async (transaction) => {
    const rows = await transaction
      .delete(episodeSubtitles)
      .where(eq(episodeSubtitles.id, id))
      .returning({ id: episodeSubtitles.id });
    return rows.length > 0 ? done(null) : noSuchSourceRefusal;
  });
}

export async function createSubtitles(
  subtitles: NewSubtitles,
): Promise<Outcome<{ id: string; isNew: boolean }>> {
  const checked = findEpisodeKeyRefusal(subtitles) ?? checkSourceUrl(subtitles.url);
  if (!checked.ok) return checked;
  return changeCatalog([], async (transaction) => {
    if (!(await createEpisodeIfMissing(transaction, subtitles))) return noSuchTitleRefusal;
    const { malId, episode, language, label = labelOfFile(subtitles.url, language) } = subtitles;
    const url = checked.value;
    const position = nextPosition(episodeSubtitles, subtitles);
    const [row] = await transaction
      .insert(episodeSubtitles)
      .values({ malId, episode, url, language, label, position })
      .onConflictDoUpdate({
        target: [episodeSubtitles.malId, episodeSubtitles.episode, episodeSubtitles.url],
        set: { language, label },
      })
      .returning({ id: episodeSubtitles.id, isNew: sql<boolean>`xmax = 0` });
    return row ? done(row) : noSuchSourceRefusal;
  });
}

/** Takes the label from the name of a file in MEDIA_DIR, because viewers choose by the label. */
function labelOfFile(url: string, language: string): string | null {
  if (!isMediaPath(url) || !isSubtitleFile(url)) return null;
  return subtitleLabel({ ...readSubtitleName(url), language: language === "und" ? null : language });
}

export async function replaceSkips(
  { malId, episode }: EpisodeKey,
  skips: readonly SkipSegment[],
): Promise<Outcome<null>> {
  const at = { malId, episode };
  const refusal = findEpisodeKeyRefusal(at);
  if (refusal) return refusal;
  if (skips.some(({ start, end }) => !(start >= 0 && end > start && Number.isFinite(end))))
    return refuse("invalid", "A segment to skip must end after it starts");
  // If films are for members only, visitors must not learn of the segments, not even that the title has changed.
  const changed = seesFilms(anybody) ? [malId] : [];
  return changeCatalog(changed, async (transaction) => {
    if (!(await createEpisodeIfMissing(transaction, at))) return noSuchTitleRefusal;
    await transaction
      .delete(skipSegments)
      .where(and(eq(skipSegments.malId, malId), eq(skipSegments.episode, episode)));
    const rows = skips.map(({ kind, start, end }) => ({ ...at, kind, start, end }));
    if (rows.length > 0) await transaction.insert(skipSegments).values(rows).onConflictDoNothing();
    return done(null);
  });
}

function findEpisodeKeyRefusal({ malId, episode }: EpisodeKey) {
  const isTitleId = Number.isInteger(malId) && malId > 0 && malId <= maxMalId;
  if (!isTitleId) return noSuchTitleRefusal;
  return Number.isInteger(episode) && episode >= 1 && episode <= maxEpisodeNumber
    ? null
    : refuse("invalid", `The episode must be a number from 1 to ${maxEpisodeNumber}`);
}

/** Returns false if there is no such title. An episode that the catalog lacks is created with its first source. */
async function createEpisodeIfMissing(transaction: Transaction, at: EpisodeKey): Promise<boolean> {
  if (!(await isTitle(transaction, at.malId))) return false;
  await createEpisode(transaction, at);
  return true;
}

const isTitle = async (transaction: Transaction, malId: number): Promise<boolean> =>
  (await transaction.select({ id: titles.malId }).from(titles).where(eq(titles.malId, malId))).length > 0;

const createEpisode = (transaction: Transaction, { malId, episode }: EpisodeKey) =>
  transaction.insert(episodes).values({ malId, number: episode }).onConflictDoNothing();

const nextPosition = (
  table: typeof episodeSources | typeof episodeSubtitles,
  { malId, episode }: EpisodeKey,
): SQL<number> =>
  sql`(select coalesce(max(position) + 1, 0) from ${table} where mal_id = ${malId} and episode = ${episode})`;

/**
 * The folder must be inside a root, or its films could not be played. If there is no root, any folder works as a trial.
 */
export async function proposeSources(folder: string) {
  const searched = await searchDiskFolder(folder);
  if (!searched.ok) return searched;
  const { files, passedOver, passedOverMore } = searched.value;
  const known = (await Promise.all([listSources(), listSubtitles()])).flat();
  const registered = groupBy(known, ({ url }) => url);
  const proposals = await proposeFilms(files, new Set(registered.keys()));
  return done({
    proposals: proposals.map((proposal) => withRegistered(proposal, registered.get(proposal.url))),
    passedOver,
    passedOverMore,
  });
}

/**
 * The proposal with the registered episodes. Its name can say others: a renamed file keeps its episodes, and an operator
 * can have chosen them.
 */
function withRegistered(
  proposal: FilmProposal,
  registered: readonly (EpisodeKey & { title: string })[] = [],
): FilmProposal {
  const named = registered.find((one) => one.malId === proposal.match?.malId);
  const first = named ?? registered[0];
  if (first === undefined) return proposal;
  const { malId, title, episode } = first;
  const last = registered.findLast((other) => other.malId === malId) ?? first;
  const isAsNamed =
    named !== undefined &&
    (proposal.episode ?? 1) === episode &&
    (proposal.lastEpisode ?? episode) === last.episode;
  if (isAsNamed && !proposal.isSpecial) return proposal;
  return {
    ...proposal,
    match: { malId, title },
    episode,
    lastEpisode: last.episode,
    isSpecial: false,
    reasons: [],
  };
}

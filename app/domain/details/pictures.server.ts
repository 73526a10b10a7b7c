import { and, asc, eq, inArray, isNotNull, lte, sql } from "drizzle-orm";
import { pictureWord } from "#app/domain/catalog-editing/catalog-editing.server.ts";
import {
  type PlacedChild,
  writeChildren,
  writeTitles,
} from "#app/domain/catalog-import/catalog-import.server.ts";
import { changeCatalog } from "#app/domain/catalog-version/catalog-version.server.ts";
import {
  createCatalogPicture,
  fetchPicture,
  isPictureLost,
  parseCid,
  pictureBudget,
} from "#app/domain/images/images.server.ts";
import { malIdsOf } from "#app/domain/mal-ids.ts";
import { storedImagePath } from "#app/paths.ts";
import { env } from "#app/platform/process/env.server.ts";
import { areDetailsOn } from "#app/platform/site-settings.server.ts";
import { days, hours, mebibytes } from "#app/platform/units.ts";
import { textArray } from "#db/arrays.ts";
import { db, type Transaction } from "#db/client.server.ts";
import { titleRecords } from "#db/schema/catalog.ts";
import {
  characters,
  characterVoices,
  detailPictures,
  episodeStills,
  people,
  titleCharacters,
  titleDetails,
  titleStaff,
} from "#db/schema/details.ts";
import { episodeRecords } from "#db/schema/edits.ts";
import { detailPictureKinds } from "#db/schema/enumerations.ts";
import { storedImages } from "#db/schema/images.ts";
import { after, type QueueRun } from "./clock.ts";
import { aniList } from "./sources/anilist.server.ts";

/**
 * Fetches each picture of the details once and stores it here, so that no browser has to load it from another site. The
 * addresses come from the source's answers, so they are fetched with the same protections as a stranger's.
 */

export const maxPictureBytes = mebibytes(env.DETAIL_PICTURES_MB);
/** Pictures are fetched and published in groups of this size, because publishing makes cached pages stale. */
const picturesPerStep = 8;
/** The wait after each failure. After one more, the picture is given up. */
const retryAfterMs = [hours(1), days(1)];

type Kind = (typeof detailPictureKinds)[number];
type Picture = { url: string; kind: Kind; failures: number };
type StoredPicture = { url: string; cid: string };
const shapes = {
  cover: "title-picture",
  banner: "wide-banner",
  portrait: "portrait",
  still: "still",
} as const satisfies Record<Kind, string>;

export async function countPictureBytes(): Promise<number> {
  const [row] = await db
    .select({ bytes: sql<string>`coalesce(sum(${storedImages.bytes}), 0)` })
    .from(storedImages)
    .where(sql`exists (select from ${detailPictures} where ${detailPictures.cid} = ${storedImages.cid})`);
  return Number(row?.bytes ?? 0);
}

/** False once the stored pictures take DETAIL_PICTURES_MB. */
export const hasPictureRoom = async (): Promise<boolean> => (await countPictureBytes()) < maxPictureBytes;

/** Fetches a few pictures that are due. Returns false if none is due or no more can be stored now. */
export async function fetchSomePictures({ clock, signal }: QueueRun): Promise<boolean> {
  const due = await db
    .select({ url: detailPictures.url, kind: detailPictures.kind, failures: detailPictures.failures })
    .from(detailPictures)
    .where(and(isNotNull(detailPictures.dueAt), lte(detailPictures.dueAt, clock.now())))
    .orderBy(
      sql`array_position(${textArray(detailPictureKinds)}, ${detailPictures.kind})`,
      asc(detailPictures.dueAt),
      detailPictures.url,
    )
    .limit(picturesPerStep);
  if (due.length === 0 || !(await hasPictureRoom())) return false;
  const ends = await Promise.allSettled(due.map((picture) => fetchOne(picture, { clock, signal })));
  const fetched = ends.flatMap((end) => (end.status === "fulfilled" ? end.value : []));
  const stored = fetched.filter((one) => typeof one !== "string");
  if (stored.length > 0) await showPictures(stored);
  for (const end of ends) if (end.status === "rejected") throw end.reason;
  return !fetched.includes("later");
}

/** `later`: this machine cannot store a picture now, so the others have to wait too. */
async function fetchOne(
  picture: Picture,
  { clock, signal }: QueueRun,
): Promise<StoredPicture | "failed" | "later"> {
  const { url, kind } = picture;
  const stored = await pictureBudget("details", async (admit) => {
    const requester = {
      client: "details",
      mayReachLoopback: false,
      readOwn: () => null,
      origin: "",
      ownPath: () => null,
    };
    const source = await fetchPicture(new URL(url), requester, { admit, signal });
    if (!source.ok) return source;
    return createCatalogPicture(source.value.bytes, {
      shape: shapes[kind],
      client: "details",
      signal,
    });
  });
  if (stored.ok) return { url, cid: stored.value };
  if (signal.aborted || stored.reason === "overloaded" || stored.reason === "disk_full") return "later";
  const failures = picture.failures + 1;
  const retryMs = retryAfterMs[failures - 1];
  await db
    .update(detailPictures)
    .set({
      failures,
      problem: stored.message ?? "It cannot be fetched",
      dueAt: retryMs === undefined ? null : after(clock, retryMs),
    })
    .where(eq(detailPictures.url, url));
  return "failed";
}

/**
 * Makes a picture due again if its stored bytes are gone, for example after a restore without pictures. Call this when
 * a client requests a stored picture that is missing.
 */
export async function fetchLostPicture(text: string): Promise<void> {
  const cid = parseCid(text);
  // While details are off, nothing would fetch the picture, and the next sweep would delete its row.
  if (cid === null || !areDetailsOn()) return;
  const known = await db
    .select({ url: detailPictures.url })
    .from(detailPictures)
    .where(eq(detailPictures.cid, cid));
  // Damaged bytes do not count as lost. Storing never replaces them, so each request would fetch the picture again.
  if (known.length === 0 || !(await isPictureLost(cid))) return;
  await db
    .update(detailPictures)
    .set({ cid: null, dueAt: new Date(0) })
    .where(eq(detailPictures.cid, cid));
}

/**
 * Gives the stored pictures to the titles, episodes, people and characters whose details have these addresses. A picture
 * stays due until the transaction that shows it: if a run is cut off before, the next run fetches the picture again.
 */
async function showPictures(pictures: readonly StoredPicture[]): Promise<void> {
  const urls = pictures.map(({ url }) => url);
  const details = await db
    .select({
      malId: titleDetails.malId,
      coverUrl: titleDetails.coverUrl,
      bannerUrl: titleDetails.bannerUrl,
    })
    .from(titleDetails)
    .where(sql`${titleDetails.coverUrl} = any (${textArray(urls)})
      or ${titleDetails.bannerUrl} = any (${textArray(urls)})`);
  const stills = await db.select().from(episodeStills).where(inArray(episodeStills.url, urls));
  const withPortraits = await listTitlesOf(urls);
  const malIds = malIdsOf([...details, ...stills]);
  await changeCatalog([...new Set([...malIds, ...withPortraits])], async (transaction) => {
    const kept = await lockStored(transaction, pictures);
    const paths = new Map(kept.map(({ url, cid }) => [url, storedImagePath(cid)]));
    const pathOf = (url: string | null) => (url === null ? undefined : paths.get(url));
    await writeTitles(
      transaction,
      details.flatMap(({ malId, coverUrl, bannerUrl }) => {
        const [cover, banner] = [pathOf(coverUrl), pathOf(bannerUrl)];
        const fields = { ...(cover && pictureWord(cover)), ...(banner && { bannerImage: banner }) };
        return { malId, source: aniList.name, fields, isWhole: false, isForKnown: true };
      }),
    );
    await writeChildren(
      transaction,
      stills.flatMap(({ malId, number, url }) => {
        const path = pathOf(url);
        return path === undefined ? [] : stillRecord(malId, number, path);
      }),
    );
    await showPortraits(transaction, kept);
    // Last, because `storeAnswers` also locks these rows after those of titles and people.
    await transaction.execute(sql`
      update ${detailPictures} own set cid = stored.cid, due_at = null, failures = 0, problem = null
      from ${recordsetOf(kept)} where own.url = stored.url`);
  });
}

/** The clean-up of unused pictures may have deleted some. It waits for the others until the transaction ends. */
async function lockStored(
  transaction: Transaction,
  pictures: readonly StoredPicture[],
): Promise<StoredPicture[]> {
  const cids = pictures.map(({ cid }) => cid);
  const rows = await transaction
    .select({ cid: storedImages.cid })
    .from(storedImages)
    .where(inArray(storedImages.cid, cids))
    .orderBy(storedImages.cid)
    .for("key share");
  const present = new Set(rows.map(({ cid }) => cid));
  return pictures.filter(({ cid }) => present.has(cid));
}

const recordsetOf = (pictures: readonly StoredPicture[]) =>
  sql`json_to_recordset(${JSON.stringify(pictures)}::text::json) as stored(url text, cid text)`;

const stillRecord = (malId: number, number: number, imageUrl: string): PlacedChild => ({
  kind: "episode",
  malId,
  number,
  title: null,
  description: null,
  date: null,
  duration: null,
  imageUrl,
  textsFrom: undefined,
  source: aniList.name,
});

async function showPortraits(transaction: Transaction, pictures: readonly StoredPicture[]): Promise<void> {
  for (const table of [people, characters])
    await transaction.execute(sql`
      update ${table} own set picture_cid = stored.cid from ${recordsetOf(pictures)}
      where stored.url = own.picture_url`);
}

/** The titles whose pages show one of these portraits. */
async function listTitlesOf(urls: readonly string[]): Promise<number[]> {
  const isPortrait = sql`picture_url = any (${textArray(urls)})`;
  const rows = await db.execute<{ malId: number }>(sql`
    with named as (select id from ${people} where ${isPortrait})
    select mal_id as "malId" from ${titleCharacters} join ${characters} on id = character_id where ${isPortrait}
    union select mal_id from ${titleStaff} where person_id in (select id from named)
    union select mal_id from ${characterVoices} where person_id in (select id from named)`);
  return malIdsOf(rows);
}

/**
 * Deletes the rows of pictures that no details refer to any more, so that `deleteUnusedPictures` deletes their bytes. A
 * picture stays as long as a title, a person or a character shows it, even if the source has a newer one that was not
 * fetched yet.
 */
export async function forgetUnnamedPictures(): Promise<void> {
  // `materialized`, so that each set is read once. Otherwise all records of the catalog are read for each picture.
  await db.execute(sql`
    with named as materialized (
      select cover_url as url from ${titleDetails} union select banner_url from ${titleDetails}
      union select url from ${episodeStills}
      union select picture_url from ${people} union select picture_url from ${characters}
    ), shown as materialized (
      select '/ipfs/' || picture_cid as path from ${people} union select '/ipfs/' || picture_cid from ${characters}
      union select fields ->> 'imageUrl' from ${titleRecords} where source = 'anilist'
      union select fields ->> 'bannerImage' from ${titleRecords} where source = 'anilist'
      union select fields ->> 'imageUrl' from ${episodeRecords} where source = 'anilist'
    )
    delete from ${detailPictures} own where not exists (select from named where named.url = own.url)
      and not exists (select from shown where shown.path = '/ipfs/' || own.cid)`);
}

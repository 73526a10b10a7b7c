import { and, eq, inArray, lt, sql } from "drizzle-orm";
import { pictureWord } from "#app/domain/catalog-editing/catalog-editing.server.ts";
import { writeTitles } from "#app/domain/catalog-import/catalog-import.server.ts";
import type { TitleFields } from "#app/domain/catalog-import/catalog-import.ts";
import { changeCatalog } from "#app/domain/catalog-version/catalog-version.server.ts";
import { findFilmFile, foldersOf, openMediaFile } from "#app/domain/films/films.server.ts";
import { isWholeRoot } from "#app/domain/films/films.ts";
import { createCatalogPicture, keepPictureOfTitle, pictureBudget } from "#app/domain/images/images.server.ts";
import { isOfDemonstration } from "#app/domain/visibility/visibility.server.ts";
import { firstLocalMalId } from "#app/domain/visibility/visibility.ts";
import { storedImagePath } from "#app/paths.ts";
import { errorFields, log } from "#app/platform/log.server.ts";
import { env } from "#app/platform/process/env.server.ts";
import { isClosedSite } from "#app/platform/site-settings.server.ts";
import { mebibytes } from "#app/platform/units.ts";
import { isLocalMode } from "#app/platform/upstream/local-mode.ts";
import { db } from "#db/client.server.ts";
import { titleRecords, titles } from "#db/schema/catalog.ts";
import { episodeSources } from "#db/schema/episodes.ts";
import { films } from "#db/schema/films.ts";
import { folderFacts } from "#db/schema/scanning.ts";
import { type NotesElement, openNotes } from "../notes.server.ts";

/**
 * Takes pictures and texts from the files beside films: `poster.jpg`, `fanart.jpg`, and the notes `tvshow.nfo` or
 * `movie.nfo`. They are the lowest-ranked source of a title, so they only fill in what no other source has.
 */

const notesNames = ["tvshow.nfo", "movie.nfo"] as const;
const pictureNames = ["poster.jpg", "fanart.jpg"] as const;
/** A longer text is ignored. No person writes one by hand. */
const maxTextLengths = { title: 300, plot: 8_000 };
const maxPictureBytes = mebibytes(20);
/** Up to three folders are searched: those of the season, the title and the franchise. */
const maxFolders = 3;

/**
 * Only members see local titles. A picture of another title would tell visitors that this site has a film of it, unless
 * visitors see the films, or see nothing at all.
 */
const mayFillCatalog = () =>
  isClosedSite() || (env.FILMS === undefined ? isLocalMode(env) : env.FILMS === "everyone");

export async function readFolderFacts(signal?: AbortSignal): Promise<void> {
  if (!mayFillCatalog()) await forgetCatalogFacts();
  for (const title of await listTitlesToFill()) {
    if (signal?.aborted) return;
    await fillTitle(title, signal).catch((error) =>
      log.warn("the files beside the films of a title cannot be read", {
        title: title.malId,
        ...errorFields(error),
      }),
    );
  }
}

type TitleToFill = { malId: number; path: string; stamp: string | null };

/** Titles with films that lack a picture, a banner or a synopsis, or that got one from files beside films. */
const listTitlesToFill = async (): Promise<TitleToFill[]> => [
  ...(await db.execute<TitleToFill>(sql`
    select mal_id as "malId", min(films.path) as path, min(folder_facts.stamp) as stamp
    from ${episodeSources} join ${films} on films.id = film_id join ${titles} using (mal_id)
      left join ${folderFacts} using (mal_id)
    where films.gone_at is null and not ${isOfDemonstration(films.path)}
      and (mal_id >= ${firstLocalMalId} or ${mayFillCatalog()})
      and (image_url is null or banner_image is null or synopsis is null or folder_facts.stamp is not null)
    group by mal_id order by mal_id`)),
];

async function fillTitle({ malId, path, stamp }: TitleToFill, signal?: AbortSignal): Promise<void> {
  const files = await findFiles(malId, path);
  // Once the files are gone, the stamp is an empty text.
  if ((files?.stamp ?? "") === (stamp ?? "")) return;
  const fields = files === null ? {} : await readFields(malId, files.paths, signal);
  if (fields === null) return;
  await changeCatalog([malId], async (transaction) => {
    await writeTitles(transaction, [{ malId, source: "folder", fields, isWhole: true, isForKnown: true }]);
    const row = { malId, stamp: files?.stamp ?? "" };
    await transaction
      .insert(folderFacts)
      .values(row)
      .onConflictDoUpdate({ target: folderFacts.malId, set: row });
  });
}

/**
 * The files of the nearest folder that contains any. Null if there is none, or if that folder also holds films of
 * another title.
 */
async function findFiles(malId: number, film: string) {
  for (const folder of ownFolders(film)) {
    const paths = new Map<string, string>();
    const versions: string[] = [];
    for (const name of [...notesNames, ...pictureNames]) {
      const path = `${folder}/${name}`;
      const file = await findFilmFile(path);
      if (file === null) continue;
      paths.set(name, path);
      versions.push(`${name} ${file.size} ${file.modifiedMs}`);
    }
    if (paths.size > 0)
      return (await hasOtherTitle(malId, folder)) ? null : { paths, stamp: [folder, ...versions].join("\n") };
  }
  return null;
}

const ownFolders = (path: string) =>
  foldersOf(path)
    .filter((folder) => !isWholeRoot(folder))
    .slice(0, maxFolders);

async function hasOtherTitle(malId: number, folder: string): Promise<boolean> {
  const [row] = await db.execute<{ has: boolean }>(sql`
    select exists (select from ${episodeSources} join ${films} on films.id = film_id
      where mal_id <> ${malId} and starts_with(films.path, ${`${folder}/`})) as has`);
  return row?.has ?? true;
}

/** Null if a picture cannot be stored now; the next scan retries. */
async function readFields(
  malId: number,
  paths: ReadonlyMap<string, string>,
  signal?: AbortSignal,
): Promise<TitleFields | null> {
  const { plot } = await readNotes(notesNames.flatMap((name) => paths.get(name) ?? []));
  const poster = paths.get("poster.jpg");
  const fanart = paths.get("fanart.jpg");
  const picture = poster === undefined ? null : await storePicture(poster, "title-picture", malId, signal);
  const banner = fanart === undefined ? null : await storePicture(fanart, "title-banner", malId, signal);
  if (picture === "later" || banner === "later") return null;
  return {
    ...(plot !== null && { synopsis: plot }),
    ...(picture !== null && pictureWord(picture)),
    ...(banner !== null && { bannerImage: banner }),
  };
}

type NotesTexts = Record<keyof typeof maxTextLengths, string | null>;

async function readNotes(paths: readonly string[]): Promise<NotesTexts> {
  for (const path of paths) {
    const read = await openNotes(path);
    if (read === null) continue;
    const elements = await read();
    return { title: textOf(elements, "title"), plot: textOf(elements, "plot") };
  }
  return { title: null, plot: null };
}

const textOf = (elements: readonly NotesElement[], name: keyof NotesTexts) =>
  elements
    .filter((element) => element.name === name)
    .map(({ text }) => tidyNote(text))
    .find((text) => text !== "" && text.length <= maxTextLengths[name]) ?? null;

/** Lone surrogates and control characters other than line breaks cannot be stored or shown. */
const tidyNote = (text: string) =>
  text
    .toWellFormed()
    .replaceAll(/\r\n?/g, "\n")
    .replaceAll(/[^\P{Cc}\n]/gu, " ")
    .trim();

/** Null if the file is not a picture, or too large. */
async function storePicture(
  path: string,
  shape: "title-picture" | "title-banner",
  malId: number,
  signal?: AbortSignal,
): Promise<string | "later" | null> {
  const opened = await openMediaFile(path);
  if (!opened.ok) return opened.reason === "not_found" ? null : "later";
  const { size, read } = opened.value;
  if (size === 0 || size > maxPictureBytes) return null;
  return pictureBudget("files beside films", async (admit) => {
    if (!admit(size)) return "later";
    const bytes = Buffer.concat(await read(null).toArray());
    const stored = await createCatalogPicture(bytes, {
      shape,
      client: "files beside films",
      keep: (transaction, cid) => keepPictureOfTitle(cid, malId, transaction),
      signal,
    });
    if (stored.ok) return storedImagePath(stored.value);
    return stored.reason === "overloaded" || stored.reason === "disk_full" ? "later" : null;
  });
}

/** The title in the notes beside a film, as a name for a new local title. */
export async function findTitleInNotes(film: string): Promise<string | null> {
  for (const folder of ownFolders(film)) {
    const { title } = await readNotes(notesNames.map((name) => `${folder}/${name}`));
    if (title !== null) return title;
  }
  return null;
}

/** Deletes what files beside films gave to titles of the catalog. Runs while visitors may not see films. */
async function forgetCatalogFacts(): Promise<void> {
  const rows = await db
    .select({ malId: folderFacts.malId })
    .from(folderFacts)
    .where(lt(folderFacts.malId, firstLocalMalId));
  const malIds = rows.map(({ malId }) => malId);
  if (malIds.length === 0) return;
  await changeCatalog(malIds, async (transaction) => {
    await writeTitles(
      transaction,
      malIds.map((malId) => ({ malId, source: "folder", fields: {}, isWhole: true, isForKnown: true })),
    );
    await transaction
      .delete(titleRecords)
      .where(and(eq(titleRecords.source, "folder"), inArray(titleRecords.malId, malIds)));
    await transaction.delete(folderFacts).where(inArray(folderFacts.malId, malIds));
  });
}

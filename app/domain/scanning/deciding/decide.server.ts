import { and, eq, getTableColumns, inArray, not, sql } from "drizzle-orm";
import { mayHaveEpisode } from "#app/domain/catalog/catalog.server.ts";
import { maxEpisodeNumber } from "#app/domain/catalog/catalog.ts";
import { changeCatalog } from "#app/domain/catalog-version/catalog-version.server.ts";
import { done, type Outcome, refuse } from "#app/domain/errors.ts";
import { type Actor, recordEvent } from "#app/domain/events/events.server.ts";
import { findFilmFile, folderOf, readRoot, requestScan, splitRoot } from "#app/domain/films/films.server.ts";
import { isWholeRoot } from "#app/domain/films/films.ts";
import { malIdsOf } from "#app/domain/mal-ids.ts";
import { isOfDemonstration } from "#app/domain/visibility/visibility.server.ts";
import { firstLocalMalId } from "#app/domain/visibility/visibility.ts";
import { isUuid } from "#app/platform/uuid.ts";
import { intArray, uuidArray } from "#db/arrays.ts";
import { db, type Transaction } from "#db/client.server.ts";
import { titles } from "#db/schema/catalog.ts";
import { episodeSources } from "#db/schema/episodes.ts";
import { films } from "#db/schema/films.ts";
import { filmDecisions } from "#db/schema/scanning.ts";
import { maxEpisodesOfFilm } from "../names/episode-numbers.ts";
import { readFingerprint } from "../scan/moved-films.server.ts";
import { wakeScanner } from "../scan/scan-schedule.server.ts";
import { deleteSubtitlesBeside } from "../scan/withdrawn-films.server.ts";
import { decisionText } from "./undecided-films.ts";

/**
 * An operator decides what one film is, or what all films of a folder are. The decision is stored; the next scan turns
 * it into sources. The scan still reads the episode numbers from the file names, and gets the same result again after
 * an import or a restart.
 */

type AboutFilm = { filmId: string };
type AboutFolder = { folder: string };
type About = AboutFilm | AboutFolder;

type FilmDecision =
  /** `episode` is null for a special, because specials have no episode number. */
  | (AboutFilm & { kind: "title"; malId: number; episode: number | null; lastEpisode?: number | undefined })
  | (AboutFolder & { kind: "title"; malId: number; shift: number })
  | (About & { kind: "ignored" })
  | (About & { kind: "not_title"; malId: number });

const noSuchFilm = refuse("not_found", "There is no such video");
export const wholeRootRefusal = refuse(
  "invalid",
  "Decide about a folder of one title, or about each video, but not about the whole media folder",
);

/** Returns the id of the decision, by which it can be undone. */
export async function decideFilm(decision: FilmDecision, actor: Actor): Promise<Outcome<{ id: string }>> {
  const checked = await check(decision);
  if (!checked.ok) return checked;
  const about = aboutOf(decision);
  if (about.filmId !== null) await keepFingerprint(about.filmId);
  const id = await changeCatalog([], async (transaction) => {
    const before =
      decision.kind === "not_title"
        ? []
        : await transaction
            .delete(filmDecisions)
            .where(and(isAbout(about), inArray(filmDecisions.kind, ["title", "ignored"])))
            .returning({ malId: filmDecisions.malId });
    const [decided] = await transaction
      .insert(filmDecisions)
      .values({
        kind: decision.kind,
        ...about,
        ...("malId" in decision && { malId: decision.malId }),
        ...("episode" in decision && {
          episode: decision.episode,
          lastEpisode: decision.lastEpisode ?? decision.episode,
        }),
        ...("shift" in decision && { shift: decision.shift }),
      })
      .returning({ id: filmDecisions.id });
    if (!decided) throw new Error("the decision was not stored");
    const detail = await describeDecision(transaction, decided.id);
    await recordEvent({ kind: "title_edited", actor, detail }, transaction);
    await judgeAgain(transaction, about, {
      ofTitles: decision.kind === "not_title" ? [decision.malId] : before.map(({ malId }) => malId),
      isWhole: decision.kind !== "not_title",
    });
    return decided.id;
  });
  await askForScan(about);
  return done({ id });
}

/**
 * Deletes a decision and its effects. The next scan matches the films again by name and catalog, but not with the local
 * title of the decision: it often has their name, so the scan would restore what the operator has undone.
 */
export async function undoDecision(id: string, actor: Actor): Promise<Outcome<null>> {
  if (!isUuid(id)) return refuse("not_found", "There is no such decision");
  const decision = await changeCatalog([], async (transaction) => {
    const detail = await describeDecision(transaction, id);
    const [row] = await transaction.delete(filmDecisions).where(eq(filmDecisions.id, id)).returning();
    if (!row) return null;
    await recordEvent({ kind: "title_edited", actor, detail: `Undone: ${detail}` }, transaction);
    const { filmId, folder, malId } = row;
    const isWhole = row.kind !== "not_title" && filmId !== null;
    await judgeAgain(transaction, row, { ofTitles: row.kind === "title" ? [malId] : [], isWhole });
    if (row.kind === "title" && malId !== null && malId >= firstLocalMalId) {
      const refusal = { kind: "not_title" as const, filmId, folder, malId };
      const isSame = and(isAbout(row), eq(filmDecisions.kind, "not_title"), eq(filmDecisions.malId, malId));
      await transaction.delete(filmDecisions).where(isSame);
      await transaction.insert(filmDecisions).values(refusal);
    }
    return { filmId, folder };
  });
  if (decision === null) return refuse("not_found", "There is no such decision");
  await askForScan(decision);
  return done(null);
}

/** The decision and the path that it is about, for the list of events. "" if there is no such decision. */
async function describeDecision(transaction: Transaction, id: string): Promise<string> {
  const [row] = await transaction
    .select({ ...getTableColumns(filmDecisions), path: films.path, title: titles.title })
    .from(filmDecisions)
    .leftJoin(films, eq(films.id, filmDecisions.filmId))
    .leftJoin(titles, eq(titles.malId, filmDecisions.malId))
    .where(eq(filmDecisions.id, id));
  if (!row) return "";
  return `${decisionText({ ...row, title: row.title?.slice(0, 80) ?? null })}: ${splitRoot(row.folder ?? row.path ?? "").inside}`;
}

type DecisionTarget = { filmId: string | null; folder: string | null };

const aboutOf = (about: About): DecisionTarget =>
  "filmId" in about ? { filmId: about.filmId, folder: null } : { filmId: null, folder: about.folder };

const isAbout = ({ filmId, folder }: DecisionTarget) =>
  filmId === null ? eq(filmDecisions.folder, folder ?? "") : eq(filmDecisions.filmId, filmId);

async function check(decision: FilmDecision): Promise<Outcome<null>> {
  const isEpisode = (number: number) => Number.isInteger(number) && number >= 1 && number <= maxEpisodeNumber;
  if ("episode" in decision && decision.episode !== null) {
    const { episode, lastEpisode = episode } = decision;
    const count = lastEpisode - episode + 1;
    if (!isEpisode(episode) || !isEpisode(lastEpisode) || count < 1 || count > maxEpisodesOfFilm)
      return refuse(
        "invalid",
        `The episode must be a number from 1 to ${maxEpisodeNumber}, and the last one at most ${maxEpisodesOfFilm - 1} higher`,
      );
  }
  if ("folder" in decision && isWholeRoot(decision.folder)) return wholeRootRefusal;
  if ("shift" in decision && Math.abs(decision.shift) > maxEpisodeNumber)
    return refuse("invalid", "The number to add is too large");
  if ("malId" in decision) {
    const last = "episode" in decision ? (decision.lastEpisode ?? decision.episode) : null;
    const [title] = await db
      .select({
        name: titles.title,
        episodes: titles.episodes,
        mayHaveLast: sql<boolean>`${last}::int is null or ${mayHaveEpisode(sql`${last}::int`)}`,
      })
      .from(titles)
      .where(eq(titles.malId, decision.malId));
    if (!title) return refuse("not_found", "No such title");
    if (!title.mayHaveLast)
      return refuse(
        "invalid",
        `${title.name} has no episode ${last}, but only ${title.episodes}. If that is wrong, change it on the page Titles first.`,
      );
  }
  if (!("filmId" in decision)) return done(null);
  if (!isUuid(decision.filmId)) return noSuchFilm;
  return (await db.$count(films, eq(films.id, decision.filmId))) === 0 ? noSuchFilm : done(null);
}

/** The fingerprint lets the film keep its decision when its file is moved. */
async function keepFingerprint(id: string): Promise<void> {
  const [film] = await db
    .select({ path: films.path, fingerprint: films.fingerprint })
    .from(films)
    .where(eq(films.id, id));
  if (!film || film.fingerprint !== null) return;
  const file = await findFilmFile(film.path).catch(() => null);
  if (file === null) return;
  const fingerprint = await readRoot(film.path, () => readFingerprint(file.file)).catch(() => null);
  if (fingerprint !== null) await db.update(films).set({ fingerprint }).where(eq(films.id, id));
}

type SourcesToDelete = {
  /** The titles whose sources are deleted. */
  ofTitles: readonly (number | null)[];
  /** True to also delete the film's other sources, or those of registered films directly in the folder. */
  isWhole: boolean;
};

/**
 * Deletes the sources that the next scan creates again. A folder decision is made in the folder whose films wait for
 * one, so films in its subfolders keep their other sources. Sources that were added by hand stay too.
 */
async function judgeAgain(
  transaction: Transaction,
  about: DecisionTarget,
  { ofTitles, isWhole }: SourcesToDelete,
): Promise<void> {
  // A running scan locks these rows before it writes. Either it has written already, and its sources are deleted below,
  // or it sees this decision.
  const affected = await transaction
    .select({ id: films.id, path: films.path })
    .from(films)
    .where(isIn(about))
    .orderBy(films.id)
    .for("no key update");
  const ids = sql`any (${uuidArray(affected.map(({ id }) => id))})`;
  const folder = about.folder === null ? null : `${about.folder}/`;
  const isDirect =
    folder === null
      ? sql`true`
      : sql`films.state = 'registered' and strpos(substr(films.path, ${lengthOf(folder) + 1}), '/') = 0`;
  const malIds = ofTitles.filter((malId) => malId !== null);
  const isOfTitle = sql`mal_id = any (${intArray(malIds)})`;
  const lost = await transaction.execute<{ filmId: string; malId: number }>(sql`
    delete from ${episodeSources} using ${films}
    where films.id = film_id and film_id = ${ids}
      and (${isOfTitle} and ${folder === null ? sql`true` : sql`films.state = 'registered'`} or ${isWhole} and ${isDirect})
    returning film_id as "filmId", mal_id as "malId"`);
  const without = new Set(lost.map(({ filmId }) => filmId));
  await deleteSubtitlesBeside(
    transaction,
    affected.filter(({ id }) => without.has(id)),
    malIdsOf(lost),
  );
  await transaction.execute(sql`
    update ${films} set state = case when state in ('waiting', 'whole') then state end, judged_at = null where id = ${ids}
      and not exists (select from ${episodeSources} where film_id = films.id)`);
}

/** In characters as PostgreSQL counts them: an emoji is one, and two in JavaScript. */
const lengthOf = (text: string) => [...text].length;

/** Films with their own decision keep it when a decision about their folder changes. */
const isIn = ({ filmId, folder }: DecisionTarget) =>
  filmId !== null
    ? eq(films.id, filmId)
    : and(
        folder === "" ? not(isOfDemonstration(films.path)) : sql`starts_with(${films.path}, ${`${folder}/`})`,
        sql`not exists (select from ${filmDecisions} own where own.film_id = ${films.id} and own.kind <> 'not_title')`,
      );

async function askForScan({ filmId, folder }: DecisionTarget): Promise<void> {
  const [film] =
    filmId === null ? [] : await db.select({ path: films.path }).from(films).where(eq(films.id, filmId));
  await requestScan({ folder: folder ?? folderOf(film?.path ?? ""), reason: "operator" });
  wakeScanner();
}

import { sql } from "drizzle-orm";
import { type FoundFile, folderOf } from "#app/domain/films/films.server.ts";
import type { ScanCounts } from "#app/domain/films/films.ts";
import { valuesByKey } from "#app/platform/lists.ts";
import { minutes } from "#app/platform/units.ts";
import { uuidArray } from "#db/arrays.ts";
import { db } from "#db/client.server.ts";
import { episodeSources } from "#db/schema/episodes.ts";
import { createRegistration, type Registration } from "./film-registration.server.ts";
import { type EpisodeSpan, type FilmJudgement, judgeFilms } from "./judge-films.server.ts";
import {
  type Judged,
  type JudgementBasis,
  type KnownFilm,
  listKnownSubtitles,
  saveJudgements,
} from "./known-films.server.ts";
import type { ScannedRoots } from "./scanned-roots.server.ts";

/** Judges the films of a scan one folder at a time, because the films of a folder help to identify each other. */

/** State shared by the parts of one scan. */
export type ScanWork = {
  roots: ScannedRoots;
  counts: ScanCounts;
  /**
   * True: a film that arrived within the last minutes is judged once the file is complete. An operator's command judges
   * it at once.
   */
  isPatient: boolean;
  /** Records the scan's progress. Throws if the scan was stopped. */
  noteProgress(): Promise<void>;
  /** Called before the films of a folder are judged. */
  onFolder: (folder: string) => void;
};

type Input = JudgementBasis & {
  files: readonly FoundFile[];
  /** For each subtitle path, the path of its film. */
  besides: ReadonlyMap<string, string>;
  known: readonly KnownFilm[];
};

type Group = {
  files: FoundFile[];
  wanted: Map<string, string>;
  registered: Map<string, string>;
  newSubtitles: Set<string>;
};

/** A file modified more recently than this may still be growing. */
const freshForMs = minutes(10);
export const isFresh = (modifiedMs: number): boolean => modifiedMs > Date.now() - freshForMs;

export async function judgeGroups(input: Input, work: ScanWork): Promise<void> {
  const { counts, noteProgress, onFolder } = work;
  const registration = createRegistration(input.decisions);
  const { groups, waiting } = await groupFiles(input, work);
  const knownIds = new Map(input.known.map(({ id, path }) => [path, id]));
  await saveJudgements(waiting, input);
  for (const [folder, group] of groups) {
    await noteProgress();
    if (group.wanted.size + group.newSubtitles.size === 0) continue;
    onFolder(folder);
    const judged = await judgeFilms({ ...group, decisions: input.decisions });
    const spans = new Map<string, EpisodeSpan[]>();
    for (const film of judged.films) {
      register(film, registration, work);
      if (film.source) spans.set(film.path, [film.source]);
    }
    await saveJudgements(
      [...judged.films.map(untilRegistered), ...judged.contradicted.map(untilWithdrawn)],
      input,
    );
    registration.withdraw(judged.contradicted);
    counts.unsure += judged.contradicted.length;
    counts.judged += judged.films.length;
    const before = await listSpans(group.newSubtitles, input, spans);
    for (const { path, language, film } of judged.subtitles) {
      if (!group.newSubtitles.has(path)) continue;
      const beside = input.besides.get(path);
      const ownSpans =
        beside === undefined ? (film ? [film] : []) : (spans.get(beside) ?? before.get(beside) ?? []);
      const id = knownIds.get(beside ?? "");
      const owner = beside === undefined || id === undefined ? null : { id, path: beside };
      for (const span of ownSpans) registration.addSubtitles({ path, language, film: owner, ...span });
    }
    await registration.flush();
  }
  await registration.flush({ isLast: true });
}

/**
 * The state of a film changes together with its sources. If a scan is interrupted before that, the next scan judges the
 * film again.
 */
const untilRegistered = (film: FilmJudgement): Judged =>
  film.source === null ? film : { ...film, state: null };
const untilWithdrawn = (film: FilmJudgement): Judged => ({ ...film, state: "registered" });

function register(
  { id, path, type, state, source }: FilmJudgement,
  registration: Registration,
  { counts }: ScanWork,
) {
  if (state === "unsure" || state === "unmatched") counts.unsure++;
  if (source === null) return;
  registration.addSource({ id, path, type, ...source });
  counts.registered++;
}

async function groupFiles({ files, besides, known, titleChange }: Input, { counts, isPatient }: ScanWork) {
  const byPath = new Map(known.map((film) => [film.path, film]));
  const knownSubtitles = await listKnownSubtitles();
  const groups = new Map<string, Group>();
  const waiting: Judged[] = [];
  for (const file of files) {
    const beside = besides.get(file.path);
    const folder = folderOf(beside ?? file.path);
    const group: Group = groups.get(folder) ?? {
      files: [],
      wanted: new Map(),
      registered: new Map(),
      newSubtitles: new Set(),
    };
    groups.set(folder, group);
    group.files.push(file);
    if (file.type === "captions") {
      const film = beside === undefined ? undefined : byPath.get(beside);
      const isAwaited = film === undefined || film.isSource || needsJudgement(film, titleChange);
      if (isAwaited && !knownSubtitles.has(`media:${file.path}`)) group.newSubtitles.add(file.path);
      continue;
    }
    const film = byPath.get(file.path);
    if (film?.isSource && film.state === "registered") group.registered.set(film.path, film.id);
    if (!film || film.isSource) continue;
    // The file appears in the list of passed-over files instead.
    if (film.isDamaged) {
      if (film.state !== null) waiting.push({ ...film, state: null, proposal: null });
    } else if (!needsJudgement(film, titleChange)) counts.unsure += Number(isOpen(film));
    else if (isPatient && film.state !== "whole" && isFresh(file.modifiedMs))
      waiting.push({ ...film, state: "waiting", proposal: null });
    else group.wanted.set(file.path, film.id);
  }
  // Subtitles without a film are skipped until something else in their folder changes.
  for (const { files: all, wanted, newSubtitles } of groups.values())
    if (wanted.size === 0 && !all.some(({ path }) => newSubtitles.has(path) && besides.has(path)))
      newSubtitles.clear();
  return { groups, waiting };
}

const isOpen = ({ state }: KnownFilm) => state === "unsure" || state === "unmatched";

/** A film whose sources were removed by hand keeps its state and is not registered again. */
const needsJudgement = (film: KnownFilm, titleChange: number): boolean =>
  film.state === null ||
  film.state === "waiting" ||
  film.state === "whole" ||
  (isOpen(film) && (film.judgedAt ?? 0) < titleChange);

/** The episodes of previously registered films that have new subtitles beside them. */
async function listSpans(
  subtitles: ReadonlySet<string>,
  { besides, known }: Input,
  judged: ReadonlyMap<string, unknown>,
): Promise<Map<string, EpisodeSpan[]>> {
  const paths = new Set(
    [...subtitles].flatMap((path) => besides.get(path) ?? []).filter((path) => !judged.has(path)),
  );
  const films = new Map(known.filter(({ path }) => paths.has(path)).map(({ id, path }) => [id, path]));
  if (films.size === 0) return new Map();
  const rows = await db
    .select({ filmId: episodeSources.filmId, malId: episodeSources.malId, episode: episodeSources.episode })
    .from(episodeSources)
    .where(sql`${episodeSources.filmId} = any (${uuidArray(films.keys())})`);
  return valuesByKey(
    rows.map(({ filmId, malId, episode }) => [
      films.get(filmId ?? "") ?? "",
      { malId, first: episode, last: episode },
    ]),
  );
}

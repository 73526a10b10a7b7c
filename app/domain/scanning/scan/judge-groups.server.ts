import { sql } from "drizzle-orm";
import { type FoundFile, folderOf } from "#app/domain/films/films.server.ts";
import { minutes } from "#app/platform/units.ts";
import { db } from "#db/client.server.ts";
import { episodeSources } from "#db/schema/episodes.ts";
import type { Decisions } from "../decisions.server.ts";
import { type FilmJudgement, judgeFilms } from "./judge-films.server.ts";
import { type Judged, type KnownFilm, listKnownSubtitles, saveJudgements } from "./known-films.server.ts";
import type { ScanWork } from "./scan-work.ts";
import { withdrawFilms } from "./withdrawn-films.server.ts";

/** Judges the films of a scan one folder at a time, because the films of a folder help to identify each other. */

type Input = {
  files: readonly FoundFile[];
  /** For each subtitle path, the path of its film. */
  besides: ReadonlyMap<string, string>;
  known: readonly KnownFilm[];
  decisions: Decisions;
  titleChange: number;
};

type Group = {
  files: FoundFile[];
  wanted: Map<string, string>;
  registered: Map<string, string>;
  newSubtitles: Set<string>;
};
type Span = { malId: number; first: number; last: number };

/** A file modified more recently than this may still be growing. */
const freshForMs = minutes(10);
export const isFresh = (modifiedMs: number): boolean => modifiedMs > Date.now() - freshForMs;

export async function judgeGroups(input: Input, work: ScanWork): Promise<void> {
  const { counts, registration, noteProgress, onFolder } = work;
  const { groups, waiting } = await groupFiles(input, work);
  await saveJudgements(waiting, input.titleChange);
  for (const [folder, group] of groups) {
    await noteProgress();
    if (group.wanted.size + group.newSubtitles.size === 0) continue;
    onFolder(folder);
    const judged = await judgeFilms({ ...group, decisions: input.decisions });
    const spans = new Map<string, Span[]>();
    for (const film of judged.films) {
      register(film, work);
      if (film.source) spans.set(film.path, [film.source]);
    }
    await withdraw(judged.contradicted, input.titleChange, work);
    await saveJudgements(judged.films.filter(({ source }) => source === null).map(toRow), input.titleChange);
    await saveProposals(judged.films, input.titleChange);
    counts.judged += judged.films.length;
    const before = await listSpans(group.newSubtitles, input, spans);
    for (const { path, language, film } of judged.subtitles) {
      if (!group.newSubtitles.has(path)) continue;
      const beside = input.besides.get(path);
      const ownSpans =
        beside === undefined ? (film ? [film] : []) : (spans.get(beside) ?? before.get(beside) ?? []);
      for (const span of ownSpans) registration.addSubtitles({ path, language, ...span });
    }
    await registration.flush();
  }
}

/** The state changes together with the sources. If a scan is interrupted before that, the next scan repeats it. */
async function withdraw(
  films: readonly FilmJudgement[],
  titleChange: number,
  { counts, registration }: ScanWork,
) {
  if (films.length === 0) return;
  await saveJudgements(
    films.map((film) => ({ ...toRow(film), state: "registered" })),
    titleChange,
  );
  registration.addChange((transaction) => withdrawFilms(transaction, films));
  counts.unsure += films.length;
}

const toRow = ({ id, state, proposal }: FilmJudgement): Judged => ({ id, state, proposal });

/**
 * A registered film's state is written together with its sources. If a scan is interrupted before that, the next scan
 * repeats it.
 */
const saveProposals = (films: readonly FilmJudgement[], titleChange: number) =>
  saveJudgements(
    films.filter(({ source }) => source !== null).map((film) => ({ ...toRow(film), state: null })),
    titleChange,
  );

function register({ id, path, type, state, source }: FilmJudgement, { counts, registration }: ScanWork) {
  if (state === "unsure" || state === "unmatched") counts.unsure++;
  if (source === null) return;
  registration.addSource({ filmId: id, path, type, ...source });
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
      if (film.state !== null) waiting.push({ id: film.id, state: null, proposal: null });
    } else if (!needsJudgement(film, titleChange)) counts.unsure += Number(isOpen(film));
    else if (isPatient && film.state !== "whole" && isFresh(file.modifiedMs))
      waiting.push({ id: film.id, state: "waiting", proposal: null });
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
): Promise<Map<string, Span[]>> {
  const paths = new Set(
    [...subtitles].flatMap((path) => besides.get(path) ?? []).filter((path) => !judged.has(path)),
  );
  const films = new Map(known.filter(({ path }) => paths.has(path)).map(({ id, path }) => [id, path]));
  const spans = new Map<string, Span[]>();
  if (films.size === 0) return spans;
  const rows = await db
    .select({ filmId: episodeSources.filmId, malId: episodeSources.malId, episode: episodeSources.episode })
    .from(episodeSources)
    .where(sql`${episodeSources.filmId} = any (${`{${[...films.keys()].join(",")}}`}::uuid[])`);
  for (const { filmId, malId, episode } of rows) {
    const path = films.get(filmId ?? "") ?? "";
    spans.set(path, [...(spans.get(path) ?? []), { malId, first: episode, last: episode }]);
  }
  return spans;
}

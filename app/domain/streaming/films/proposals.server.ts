import { realpath } from "node:fs/promises";
import { relative, sep } from "node:path";
import { catalogKeeper, suggestTitles } from "#app/domain/catalog/catalog.server.ts";
import type { SourceType } from "#app/domain/catalog/catalog.ts";
import { done, type Outcome, refuse } from "#app/domain/errors.ts";
import { env } from "#app/platform/process/env.server.ts";
import { createSource, createSubtitles, listSources, listSubtitles } from "../sources/sources.server.ts";
import { filmsBySubtitles } from "../subtitles/beside-films.ts";
import { type FoundFilm, findFilms } from "./film-folder.server.ts";
import { type FilmName, readFilmName } from "./film-names.ts";

/** Proposes for each film in a folder the title and episode it belongs to, and registers proposals as sources. */

export type FilmProposal = {
  path: string;
  /** `media:…`, the URL that a registration stores. */
  url: string;
  type: SourceType | "captions";
  /** Read from the file name, not from the catalog. */
  title: string;
  season: number | null;
  episode: number | null;
  language: string | null;
  match: { malId: number; title: string } | null;
  /** `unsure`: the title that was found has another name, so a person has to confirm it. */
  state: "new" | "registered" | "unsure" | "unmatched" | "extra";
};

/**
 * The folder must be inside MEDIA_DIR, or its films could not be played. If MEDIA_DIR is not set, any folder works as
 * a trial.
 */
export async function proposeSources(folder: string): Promise<Outcome<FilmProposal[]>> {
  const root = await realpath(env.MEDIA_DIR ?? folder).catch(() => null);
  const searched = await realpath(folder).catch(() => null);
  if (!root || !searched) return refuse("not_found", "There is no such folder");
  const inside = relative(root, searched).split(sep).join("/");
  if (inside === ".." || inside.startsWith("../"))
    return refuse("invalid", "The folder is not inside MEDIA_DIR, so its films could not be played");
  const known = await Promise.all([listSources(), listSubtitles()]);
  const registered = new Set(known.flat().map(({ url }) => url));
  const matches = new Map<string, Promise<TitleMatch>>();
  const proposals: FilmProposal[] = [];
  for (const film of nameFilms(await findFilms(searched), inside))
    proposals.push(await proposeFilm(film, registered, matches));
  return done(proposals);
}

export const proposeFromMediaDir = (): Promise<Outcome<FilmProposal[]>> =>
  env.MEDIA_DIR === undefined
    ? Promise.resolve(refuse("not_found", "MEDIA_DIR is not set, so there is no folder to search"))
    : proposeSources(env.MEDIA_DIR);

type NamedFilm = FoundFilm & { name: FilmName };

/** Subtitles beside a film belong to its episode, whatever else their own name could mean. */
function nameFilms(found: readonly FoundFilm[], folder: string): NamedFilm[] {
  const films = found.map(({ path, type }) => ({ path: folder === "" ? path : `${folder}/${path}`, type }));
  const pathsOf = (isWanted: (film: FoundFilm) => boolean) => films.filter(isWanted).map(({ path }) => path);
  const besides = filmsBySubtitles(
    pathsOf(({ type }) => type === "captions"),
    pathsOf(({ type }) => type !== "captions"),
  );
  return films.map((film) => {
    const own = readFilmName(film.path);
    const beside = besides.get(film.path);
    return {
      ...film,
      name: beside === undefined ? own : { ...readFilmName(beside), language: own.language },
    };
  });
}

type TitleMatch = { malId: number; title: string; isSure: boolean } | null;

async function proposeFilm(
  { path, type, name }: NamedFilm,
  registered: ReadonlySet<string>,
  matches: Map<string, Promise<TitleMatch>>,
): Promise<FilmProposal> {
  const { title, season, episode, language } = name;
  const key = JSON.stringify([title, season, name.year]);
  const matching = matches.get(key) ?? matchTitle(name);
  matches.set(key, matching);
  const match = name.isExtra ? null : await matching;
  const url = `media:${path}`;
  return {
    path,
    url,
    type,
    title,
    season,
    episode,
    language,
    match: match && { malId: match.malId, title: match.title },
    state: stateOf(name, match, registered.has(url)),
  };
}

function stateOf(name: FilmName, match: TitleMatch, isRegistered: boolean): FilmProposal["state"] {
  if (isRegistered) return "registered";
  if (name.isExtra) return "extra";
  if (!match) return "unmatched";
  return match.isSure && name.season !== 0 ? "new" : "unsure";
}

/** Catalogs hold each season as a separate title and name it in several ways, so try each way. */
async function matchTitle({ title, season, year }: FilmName): Promise<TitleMatch> {
  if (title === "") return null;
  const names =
    season !== null && season > 1
      ? [`${title} Season ${season}`, `${title} ${ordinal(season)} Season`, `${title} ${season}`]
      : [title];
  let unsure: TitleMatch = null;
  for (const name of names) {
    const found = await suggestTitles(name, catalogKeeper);
    const exact = found.filter(({ matched }) => keyOf(matched) === keyOf(name));
    const best = exact.find(({ title }) => year !== null && title.year === year) ?? exact[0];
    if (best) return { malId: best.title.malId, title: best.title.title, isSure: true };
    const [first] = found;
    if (first) unsure ??= { malId: first.title.malId, title: first.title.title, isSure: false };
  }
  return unsure;
}

function ordinal(number: number): string {
  const last = number % 10;
  const isTeen = Math.trunc(number / 10) % 10 === 1;
  return `${number}${isTeen ? "th" : last === 1 ? "st" : last === 2 ? "nd" : last === 3 ? "rd" : "th"}`;
}

const keyOf = (name: string) =>
  name
    .normalize("NFKD")
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]/gu, "");

/** Registers only proposals in state `new`. A film without an episode number becomes episode 1. */
export async function registerProposals(proposals: readonly FilmProposal[]): Promise<number> {
  let count = 0;
  for (const { state, match, type, url, episode, language } of proposals) {
    if (state !== "new" || !match) continue;
    const at = { malId: match.malId, episode: episode ?? 1, url };
    const outcome =
      type === "captions"
        ? await createSubtitles({ ...at, language: language ?? "und" })
        : await createSource({ ...at, type });
    if (outcome.ok && outcome.value.isNew) count++;
  }
  return count;
}

import { realpath } from "node:fs/promises";
import { relative, sep } from "node:path";
import type { SourceType } from "#app/domain/catalog/catalog.ts";
import { done, type Outcome, refuse } from "#app/domain/errors.ts";
import { env } from "#app/platform/process/env.server.ts";
import { withoutNumber } from "../film-names/episode-numbers.ts";
import { type FilmName, readFilmName } from "../film-names/film-name.ts";
import { createSource, createSubtitles, listSources, listSubtitles } from "../sources/sources.server.ts";
import { filmsBySubtitles } from "../subtitles/beside-films.ts";
import { type FoundFilm, findFilms } from "./film-folder.server.ts";
import { type FilmMatch, matchFilm } from "./match-film.server.ts";

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
  /** Of a film that holds several episodes. */
  lastEpisode: number | null;
  language: string | null;
  match: { malId: number; title: string } | null;
  /** Why it is unsure. */
  reasons: readonly string[];
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
  const matches = new Map<string, Promise<FilmMatch | null>>();
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

async function proposeFilm(
  { path, type, name }: NamedFilm,
  registered: ReadonlySet<string>,
  matches: Map<string, Promise<FilmMatch | null>>,
): Promise<FilmProposal> {
  const key = JSON.stringify([name.readings, name.year]);
  const matching = matches.get(key) ?? matchFilm(name);
  matches.set(key, matching);
  const match = name.isExtra ? null : await matching;
  const { title, season, first, last } = match?.reading ?? name.readings[0] ?? withoutNumber("");
  const url = `media:${path}`;
  return {
    path,
    url,
    type,
    title,
    season,
    episode: first,
    lastEpisode: last,
    language: name.language,
    match: match && { malId: match.malId, title: match.title },
    reasons: match?.reasons ?? [],
    state: stateOf(name, match, registered.has(url)),
  };
}

function stateOf(name: FilmName, match: FilmMatch | null, isRegistered: boolean): FilmProposal["state"] {
  if (isRegistered) return "registered";
  if (name.isExtra) return "extra";
  if (!match) return "unmatched";
  return match.isSure ? "new" : "unsure";
}

/** Registers only proposals in state `new`. A film without an episode number becomes episode 1. */
export async function registerProposals(proposals: readonly FilmProposal[]): Promise<number> {
  let count = 0;
  for (const proposal of proposals) {
    if (proposal.state !== "new" || !proposal.match) continue;
    const { match, type, url, language } = proposal;
    const outcomes = await Promise.all(
      episodesOf(proposal).map((episode) => {
        const at = { malId: match.malId, episode, url };
        return type === "captions"
          ? createSubtitles({ ...at, language: language ?? "und" })
          : createSource({ ...at, type });
      }),
    );
    if (outcomes.some((outcome) => outcome.ok && outcome.value.isNew)) count++;
  }
  return count;
}

/** A film of several episodes is a source of each. */
const maxEpisodesOfFilm = 26;
function episodesOf({ episode, lastEpisode }: FilmProposal): number[] {
  const first = episode ?? 1;
  const count = Math.min(maxEpisodesOfFilm, (lastEpisode ?? first) - first + 1);
  return Array.from({ length: count }, (_, index) => first + index);
}

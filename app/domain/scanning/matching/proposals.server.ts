import type { SourceType } from "#app/domain/catalog/catalog.ts";
import { type FoundFilm, splitRoot } from "#app/domain/films/films.server.ts";
import { filmsBySubtitles } from "../names/beside-films.ts";
import { withoutNumber } from "../names/episode-numbers.ts";
import { type FilmName, readFilmName } from "../names/film-name.ts";
import type { FilmMatch } from "./match-film.server.ts";
import { matchFilms } from "./match-films.server.ts";

/** Proposes the title and episode of each film in a folder. */

export type FilmProposal = {
  path: string;
  /** The `media:…` URL that a registration stores. */
  url: string;
  type: SourceType | "captions";
  /** Read from the file name, not from the catalog. */
  title: string;
  season: number | null;
  episode: number | null;
  /** Differs from `episode` if the film contains several episodes. */
  lastEpisode: number | null;
  language: string | null;
  /** For an extra: the title it belongs to. */
  match: { malId: number; title: string } | null;
  /** True for a special of the series, which has no episode number. */
  isSpecial: boolean;
  /** The number in the name, of the episode or of the special. */
  number: number | null;
  /** The number of a file that is only a piece of a film or of an episode: `pt1`, `cd2`. */
  piece: number | null;
  /** Another file of the folder has a different number but would match the same episode. */
  isContradicted: boolean;
  /** Why the match is unsure. */
  reasons: readonly string[];
  /** `unsure`: the match has doubts, so an operator has to confirm it. */
  state: "new" | "registered" | "unsure" | "unmatched" | "extra";
};

/** `registered` has the URLs of known sources and subtitles. */
export async function proposeFilms(
  found: readonly FoundFilm[],
  registered: ReadonlySet<string>,
): Promise<FilmProposal[]> {
  const films = nameFilms(found);
  const matches = await matchFilms(films);
  return films.map((film, index) => proposeFilm(film, matches[index] ?? null, registered));
}

type NamedFilm = FoundFilm & { name: FilmName };

/** Subtitles beside a film belong to its episode, whatever their own name suggests. */
function nameFilms(films: readonly FoundFilm[]): NamedFilm[] {
  const pathsOf = (isWanted: (film: FoundFilm) => boolean) => films.filter(isWanted).map(({ path }) => path);
  const besides = filmsBySubtitles(
    pathsOf(({ type }) => type === "captions"),
    pathsOf(({ type }) => type !== "captions"),
  );
  return films.map((film) => {
    const ownName = readFilmName(splitRoot(film.path).inside);
    const beside = besides.get(film.path);
    return {
      ...film,
      name:
        beside === undefined
          ? ownName
          : { ...readFilmName(splitRoot(beside).inside), language: ownName.language },
    };
  });
}

function proposeFilm(
  { path, type, name }: NamedFilm,
  match: FilmMatch | null,
  registered: ReadonlySet<string>,
): FilmProposal {
  const { title, season, first, last, special } = match?.reading ?? name.readings[0] ?? withoutNumber("");
  const url = `media:${path}`;
  const isSpecial = !match?.isSure && (special !== null || season === 0);
  return {
    path,
    url,
    type,
    title,
    season,
    episode: isSpecial ? null : first,
    lastEpisode: isSpecial ? null : last,
    language: name.language,
    match: match && { malId: match.malId, title: match.title },
    isSpecial,
    number: first,
    piece: name.piece,
    isContradicted: match?.isContradicted ?? false,
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

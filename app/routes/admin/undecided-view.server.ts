import { malIdsOf } from "#app/domain/mal-ids.ts";
import { listUndecidedFilms } from "#app/domain/scanning/scanning.server.ts";
import type { TitleLanguage } from "#app/domain/visitor/visitor.ts";
import { findTitleNames } from "./title-names.server.ts";

/** The films that need a decision, with the names of their likely titles in the operator's title language. */
export async function viewUndecidedFilms(most: number, language: TitleLanguage) {
  const { folders, ...counts } = await listUndecidedFilms(most);
  const matches = folders.flatMap(({ films }) => films.flatMap(({ match }) => match ?? []));
  const names = await findTitleNames(malIdsOf(matches), language);
  const withName = <Match extends { malId: number; title: string }>(match: Match | null) =>
    match && { ...match, ...names.get(match.malId) };
  return {
    ...counts,
    folders: folders.map(({ films, suggested, ...folder }) => ({
      ...folder,
      films: films.map((film) => ({ ...film, match: withName(film.match) })),
      suggested: withName(suggested),
    })),
  };
}

type Undecided = Awaited<ReturnType<typeof viewUndecidedFilms>>;
export type UndecidedFolderView = Undecided["folders"][number];
export type UndecidedFilmView = UndecidedFolderView["films"][number];

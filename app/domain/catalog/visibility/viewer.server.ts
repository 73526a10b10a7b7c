import { type SQL, sql } from "drizzle-orm";
import {
  type Filters,
  firstLocalMalId,
  type Genre,
  genres,
  matureGenres,
  matureRating,
  type RatingCode,
  ratingCodes,
} from "../catalog.ts";

/**
 * Which titles a viewer may see. A query of `titles` takes its condition from `visibleTo`. No other file looks into a
 * `Viewer`, so that a new rule is a new field here and a new condition in `visibleTo`.
 */

declare const made: unique symbol;
/** Only `createViewer` makes one, so that no query is run for somebody whose rights nobody has looked up. */
export type Viewer = ViewerRights & { readonly [made]: true };

type ViewerRights = {
  readonly parentalControl: boolean;
  /** Also sees the titles of this installation alone. */
  readonly isMember?: true;
  /** Also sees what operators have hidden from everybody. */
  readonly maintainsCatalog?: true;
};

export const createViewer = (rights: ViewerRights) => rights as Viewer;

/** For answers that are the same for everybody: what a visitor without a cookie sees. */
export const anybody = createViewer({ parentalControl: true });

/** Sees the most that a member may see. What this viewer does not see is hidden from everybody. */
export const unrestricted = createViewer({ parentalControl: false, isMember: true });

/** Sees the most that a visitor may see, as exports do. */
export const grownUpVisitor = createViewer({ parentalControl: false });

/** For pages and commands with which operators maintain the catalog. */
export const catalogKeeper = createViewer({ parentalControl: false, maintainsCatalog: true });

/** The part of a cache key that keeps results for viewers with different rights apart. */
export const viewerKey = (viewer: Viewer): string => JSON.stringify(viewer);

/** The condition that a row of `titles` is visible to this viewer. `table` is the name of `titles` in that query. */
export function visibleTo(viewer: Viewer, table = "titles"): SQL<boolean> {
  const row = sql.identifier(table);
  if (viewer.maintainsCatalog) return sql`true`;
  const conditions = [
    sql`${row}.hidden_at is null`,
    ...(viewer.parentalControl ? [sql`not ${row}.is_mature`] : []),
    ...(viewer.isMember ? [] : [sql`${row}.mal_id < ${sql.raw(String(firstLocalMalId))}`]),
  ];
  return sql`(${sql.join(conditions, sql` and `)})`;
}

/** The genres that a filter can find something with. */
export const listGenresFor = ({ parentalControl }: Viewer): readonly Genre[] =>
  parentalControl ? genres.filter((genre) => !(matureGenres as readonly Genre[]).includes(genre)) : genres;

/** The age ratings that a filter can find something with. */
export const listRatingsFor = ({ parentalControl }: Viewer): readonly RatingCode[] =>
  parentalControl ? ratingCodes.filter((code) => code !== matureRating) : ratingCodes;

/** Whether a filter names a genre or a rating whose titles this viewer never sees. */
export function asksForMore(filters: Filters, viewer: Viewer): boolean {
  const [shownGenres, shownRatings] = [listGenresFor(viewer), listRatingsFor(viewer)];
  return (
    (filters.genres?.some((genre) => !shownGenres.includes(genre)) ?? false) ||
    (filters.ratings?.some((code) => !shownRatings.includes(code)) ?? false)
  );
}

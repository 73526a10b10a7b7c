import { type SQL, type SQLWrapper, sql } from "drizzle-orm";
import { env } from "#app/platform/process/env.server.ts";
import type { ceilings, titleVerdicts } from "#db/schema/enumerations.ts";
import { episodeSources } from "#db/schema/episodes.ts";
import { films } from "#db/schema/films.ts";
import { householdTitles } from "#db/schema/library.ts";
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
  /** Also sees the films, and which titles have one. */
  readonly watchesFilms?: true;
  /** Also sees what operators have hidden from everybody. */
  readonly maintainsCatalog?: true;
  /** Sees only what a child of this household may see. */
  readonly ceiling?: ViewerCeiling;
};

/** The name of `titles` in a query. */
type Row = SQLWrapper;

type ViewerCeiling = {
  readonly limit: (typeof ceilings)[number];
  /** The account whose owner allows and blocks titles. */
  readonly accountId: string;
  /** Changes with what the owner allows and blocks, so that no cache keeps what was visible before. */
  readonly chosenAt: string;
};

export const createViewer = (rights: ViewerRights) => rights as Viewer;

const rightsOfVisitors = env.FILMS === "everyone" ? ({ watchesFilms: true } as const) : {};

/** For answers that are the same for everybody: what a visitor without a cookie sees. */
export const anybody = createViewer({ parentalControl: true, ...rightsOfVisitors });

/** Sees the most that a member may see. What this viewer does not see is hidden from everybody. */
export const unrestricted = createViewer({ parentalControl: false, isMember: true, watchesFilms: true });

/** Sees the most that a visitor may see, as exports do. */
export const grownUpVisitor = createViewer({ parentalControl: false, ...rightsOfVisitors });

/** For pages and commands with which operators maintain the catalog. */
export const catalogKeeper = createViewer({ parentalControl: false, maintainsCatalog: true });

/** For what is the same for everybody, such as counts of the whole catalog: a child's profile counts only what it sees. */
export const commonViewer = (viewer: Viewer): Viewer => (viewer.ceiling === undefined ? anybody : viewer);

/** The part of a cache key that keeps results for viewers with different rights apart. */
export const viewerKey = (viewer: Viewer): string => JSON.stringify(viewer);

/** The condition that a row of `titles` is visible to this viewer. `table` is the name of `titles` in that query. */
export function visibleTo(viewer: Viewer, table = "titles"): SQL<boolean> {
  const row = sql.identifier(table);
  if (viewer.maintainsCatalog) return sql`true`;
  const conditions = [
    sql`${row}.hidden_at is null`,
    ...(viewer.parentalControl ? [sql`not ${row}.is_mature`] : []),
    ...(viewer.ceiling ? [isBelow(viewer.ceiling, row)] : []),
    ...(viewer.isMember ? [] : [sql`${row}.mal_id < ${sql.raw(String(firstLocalMalId))}`]),
  ];
  return sql`(${sql.join(conditions, sql` and `)})`;
}

/** As these ratings at least count all titles of the genre, since ratings are not made for children. */
const leastRatings = { Horror: "pg-13", Ecchi: "r" } as const satisfies { [name in Genre]?: RatingCode };
const unratedCountsAs: RatingCode = "r";
const isAbove = (code: RatingCode, limit: RatingCode) =>
  ratingCodes.indexOf(code) > ratingCodes.indexOf(limit);
const genresAbove = (limit: RatingCode) =>
  (Object.keys(leastRatings) as (keyof typeof leastRatings)[]).filter((name) =>
    isAbove(leastRatings[name], limit),
  );

function isBelow({ limit, accountId }: ViewerCeiling, row: Row): SQL {
  const chosen = (verdict: (typeof titleVerdicts)[number]) => sql`${row}.mal_id in (
    select mal_id from ${householdTitles} where user_id = ${accountId}::uuid and verdict = ${verdict})`;
  const isMild = limit === "chosen" ? sql`false` : isRatedUpTo(limit, row);
  return sql`((${isMild} or ${chosen("allowed")}) and not ${chosen("blocked")})`;
}

/** Never null: `not visibleTo(…)` must be true of what the viewer does not see. */
function isRatedUpTo(limit: RatingCode, row: Row): SQL {
  const bits = genresAbove(limit).reduce((sum, name) => sum | (1 << genres.indexOf(name)), 0);
  const codes = ratingCodes.filter((code) => !isAbove(code, limit));
  return sql`(coalesce(${row}.rating, ${unratedCountsAs}) = any (${`{${codes.join(",")}}`}::text[])
    and (${row}.genre_bits & ${bits}) = 0)`;
}

const limitOf = ({ ceiling }: Viewer): RatingCode =>
  ceiling === undefined || ceiling.limit === "chosen" ? matureRating : ceiling.limit;

export const seesFilms = ({ watchesFilms, maintainsCatalog }: Viewer): boolean =>
  watchesFilms === true || maintainsCatalog === true;

/** Whether the viewer may have files of MEDIA_DIR that belong to no title. */
export const seesFilesOfNoTitle = (viewer: Viewer): boolean =>
  seesFilms(viewer) && viewer.ceiling === undefined;

/** The condition that a source or subtitles with this URL are shown to the viewer: everybody sees the demonstration's. */
export const isShownFilm = (viewer: Viewer, url: SQLWrapper): SQL<boolean> =>
  seesFilms(viewer) ? sql`true` : sql`starts_with(${url}, '/film/')`;

/** The condition that a source can be played by the viewer: it is shown, and its file is here. */
export const isPlayableSource = (viewer: Viewer): SQL<boolean> =>
  sql`(${isShownFilm(viewer, episodeSources.url)} and coalesce(${episodeSources.filmId} not in (
    select id from ${films} where gone_at is not null), true))`;

/** The genres that a filter can find something with. */
export function listGenresFor(viewer: Viewer): readonly Genre[] {
  const withheld: readonly Genre[] = [
    ...(viewer.parentalControl ? matureGenres : []),
    ...genresAbove(limitOf(viewer)),
  ];
  return withheld.length === 0 ? genres : genres.filter((genre) => !withheld.includes(genre));
}

/** The age ratings that a filter can find something with. */
export const listRatingsFor = (viewer: Viewer): readonly RatingCode[] =>
  ratingCodes.filter(
    (code) => !isAbove(code, limitOf(viewer)) && !(viewer.parentalControl && code === matureRating),
  );

/** Whether a filter names a genre or a rating whose titles this viewer never sees. */
export function asksForMore(filters: Filters, viewer: Viewer): boolean {
  const [shownGenres, shownRatings] = [listGenresFor(viewer), listRatingsFor(viewer)];
  return (
    (filters.genres?.some((genre) => !shownGenres.includes(genre)) ?? false) ||
    (filters.ratings?.some((code) => !shownRatings.includes(code)) ?? false)
  );
}

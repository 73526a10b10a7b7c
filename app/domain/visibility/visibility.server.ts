import { and, eq, type SQL, type SQLWrapper, sql } from "drizzle-orm";
import { env } from "#app/platform/process/env.server.ts";
import { db } from "#db/client.server.ts";
import { titles } from "#db/schema/catalog.ts";
import {
  type Ceiling,
  type Genre,
  genres,
  matureGenres,
  matureRating,
  type RatingCode,
  ratingCodes,
  type TitleVerdict,
} from "#db/schema/enumerations.ts";
import { episodeSources } from "#db/schema/episodes.ts";
import { films } from "#db/schema/films.ts";
import { householdTitles } from "#db/schema/library.ts";
import { firstLocalMalId } from "./visibility.ts";

/**
 * The door of visibility: which titles a viewer may see. Every query of `titles` takes its condition from `visibleTo`.
 * No other file reads the fields of a `Viewer`, so a new rule needs one new field and one new condition here.
 */

declare const made: unique symbol;
/** Only `createViewer` creates a `Viewer`, so no query runs for a person whose rights were not looked up. */
export type Viewer = ViewerRights & { readonly [made]: true };

type ViewerRights = {
  readonly parentalControl: boolean;
  /** Also sees local titles, which exist only in this installation. */
  readonly isMember?: true;
  /** Also sees films, and which titles have one. */
  readonly watchesFilms?: true;
  /** Also sees titles that operators have hidden from everybody. */
  readonly maintainsCatalog?: true;
  /** Sees only titles allowed for a child of this household. */
  readonly ceiling?: ViewerCeiling;
};

/** The table name or alias of `titles` in a query. */
type Row = SQLWrapper;

type ViewerCeiling = {
  readonly limit: Ceiling;
  /** The account whose owner allows and blocks titles. */
  readonly accountId: string;
  /** Changes whenever the owner allows or blocks a title, so that caches do not return outdated results. */
  readonly chosenAt: string;
};

export const createViewer = (rights: ViewerRights) => rights as Viewer;

const rightsOfVisitors = env.FILMS === "everyone" ? ({ watchesFilms: true } as const) : {};

/** A visitor without a cookie, for responses that are the same for everybody. */
export const anybody = createViewer({ parentalControl: true, ...rightsOfVisitors });

/** The viewer with a member's highest rights. Titles that this viewer cannot see are hidden from everybody. */
export const unrestricted = createViewer({ parentalControl: false, isMember: true, watchesFilms: true });

/** The viewer with a visitor's highest rights, for exports. */
export const grownUpVisitor = createViewer({ parentalControl: false, ...rightsOfVisitors });

/** For pages and commands that maintain the catalog. */
export const catalogKeeper = createViewer({ parentalControl: false, maintainsCatalog: true });

/**
 * For data that is the same for everybody, such as counts of the whole catalog. A child's profile counts only the
 * titles it may see.
 */
export const commonViewer = (viewer: Viewer): Viewer => (viewer.ceiling === undefined ? anybody : viewer);

/** The part of a cache key that separates viewers with different rights. */
export const viewerKey = (viewer: Viewer): string => JSON.stringify(viewer);

/**
 * The condition that a row of `titles` is visible to this viewer. `table` is the table's name or alias in the query.
 */
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

export const isTitleVisible = async (malId: number, viewer: Viewer): Promise<boolean> =>
  (await db.$count(titles, and(eq(titles.malId, malId), visibleTo(viewer)))) > 0;

/** The lowest rating that a title of the genre counts as, since the ratings were not made for children. */
const leastRatings = { Horror: "pg-13", Ecchi: "r" } as const satisfies { [name in Genre]?: RatingCode };
const unratedCountsAs: RatingCode = "r";
const isAbove = (code: RatingCode, limit: RatingCode) =>
  ratingCodes.indexOf(code) > ratingCodes.indexOf(limit);
const genresAbove = (limit: RatingCode) =>
  (Object.keys(leastRatings) as (keyof typeof leastRatings)[]).filter((name) =>
    isAbove(leastRatings[name], limit),
  );

function isBelow(ceiling: ViewerCeiling, row: Row): SQL {
  const { isMild, isAllowed, isBlocked } = ceilingConditions(ceiling, row);
  return sql`((${isMild} or ${isAllowed}) and not ${isBlocked})`;
}

function ceilingConditions({ limit, accountId }: ViewerCeiling, row: Row) {
  // With `in`, a query of one title would read all titles that the household has chosen.
  const chosen = (verdict: TitleVerdict) => sql`exists (select from ${householdTitles} as choice
    where choice.user_id = ${accountId}::uuid and choice.verdict = ${verdict} and choice.mal_id = ${row}.mal_id)`;
  return {
    isMild: limit === "chosen" ? sql`false` : isRatedUpTo(limit, row),
    isAllowed: chosen("allowed"),
    isBlocked: chosen("blocked"),
  };
}

/** Why a viewer does not see a title: parental control, the household's choice, or the ceiling of a child's profile. */
export type Barrier = "parental control" | "blocked" | "not allowed" | "rating";

/**
 * The barrier between the viewer and a row of `titles`; null for a title that the viewer may see. Parental control
 * comes first, because it also hides a title that the household allows. A local title has no barrier for viewers who
 * are not members, because a barrier would reveal that the title exists. For the same reason the query must leave out
 * hidden titles.
 */
export function barrierTo(viewer: Viewer): SQL<Barrier | null> {
  const row = sql.identifier("titles");
  const cases = [
    ...(viewer.isMember ? [] : [sql`when ${row}.mal_id >= ${sql.raw(String(firstLocalMalId))} then null`]),
    ...(viewer.parentalControl ? [sql`when ${row}.is_mature then 'parental control'`] : []),
  ];
  if (viewer.ceiling) {
    const { isMild, isAllowed, isBlocked } = ceilingConditions(viewer.ceiling, row);
    const above: Barrier = viewer.ceiling.limit === "chosen" ? "not allowed" : "rating";
    cases.push(
      sql`when ${isBlocked} then 'blocked'`,
      sql`when not (${isMild} or ${isAllowed}) then ${above}`,
    );
  }
  return cases.length === 0 ? sql`null::text` : sql`case ${sql.join(cases, sql` `)} end`;
}

/** Never null, because `not visibleTo(…)` must be true for every title that the viewer cannot see. */
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

/** A child, who sees only what its household allows. */
export const isChildViewer = ({ ceiling }: Viewer): boolean => ceiling !== undefined;

/** True if the viewer may see files of MEDIA_DIR that belong to no title. */
export const seesFilesOfNoTitle = (viewer: Viewer): boolean => seesFilms(viewer) && !isChildViewer(viewer);

/** The condition that a path of a film, or the URL of a source or subtitles, belongs to the demonstration. */
export const isOfDemonstration = (pathOrUrl: SQLWrapper): SQL<boolean> =>
  sql`starts_with(${pathOrUrl}, '/film/')`;

/**
 * The condition that the viewer may see a source or subtitles with this URL. The demonstration's films are visible to
 * everybody.
 */
export const isShownFilm = (viewer: Viewer, url: SQLWrapper): SQL<boolean> =>
  seesFilms(viewer) ? sql`true` : isOfDemonstration(url);

/** The condition that the viewer can play a source: it is visible and its file is present. */
export const isPlayableSource = (viewer: Viewer): SQL<boolean> =>
  sql`(${isShownFilm(viewer, episodeSources.url)} and coalesce(${episodeSources.filmId} not in (
    select id from ${films} where gone_at is not null), true))`;

/** The genres whose titles this viewer can see. */
export function listGenresFor(viewer: Viewer): readonly Genre[] {
  const withheld: readonly Genre[] = [
    ...(viewer.parentalControl ? matureGenres : []),
    ...genresAbove(limitOf(viewer)),
  ];
  return withheld.length === 0 ? genres : genres.filter((genre) => !withheld.includes(genre));
}

/** The age ratings whose titles this viewer can see. */
export const listRatingsFor = (viewer: Viewer): readonly RatingCode[] =>
  ratingCodes.filter(
    (code) => !isAbove(code, limitOf(viewer)) && !(viewer.parentalControl && code === matureRating),
  );

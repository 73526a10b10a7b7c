import { and, desc, eq, inArray, isNotNull, isNull, type SQL, sql } from "drizzle-orm";
import { getTitlesById } from "#app/domain/catalog/catalog.server.ts";
import { folderOf, isDamagedFilm } from "#app/domain/films/films.server.ts";
import { isWholeRoot } from "#app/domain/films/films.ts";
import { catalogKeeper } from "#app/domain/visibility/visibility.server.ts";
import { groupBy } from "#app/platform/lists.ts";
import { isUuid } from "#app/platform/uuid.ts";
import { db } from "#db/client.server.ts";
import { episodeSources } from "#db/schema/episodes.ts";
import { films } from "#db/schema/films.ts";
import { filmDecisions } from "#db/schema/scanning.ts";
import type { StoredProposal } from "../scan/judge-films.server.ts";
import type { DecidedFilm, UndecidedFilm, UndecidedFolder } from "./undecided-films.ts";

/** The operator's lists: films that no scan could register on its own, and the decisions made so far. */

const hasNoEpisode = and(
  isNull(films.goneAt),
  sql`not exists (select from ${episodeSources} where film_id = films.id)`,
);
const isUndecided = and(
  inArray(films.state, ["unsure", "unmatched", "extra", "waiting", "whole"]),
  hasNoEpisode,
);
/** The next scan judges the film: it is new, or a decision about it was undone. */
const isUnjudged = and(
  isNull(films.state),
  isNotNull(films.seenSize),
  sql`${isDamagedFilm} is not true`,
  hasNoEpisode,
  sql`not exists (select from ${filmDecisions} where kind <> 'not_title'
    and (film_id = ${films.id} or starts_with(${films.path}, folder || '/')))`,
);
const inOrder = sql`${films.path} collate "C"`;

const undecidedColumns = {
  id: films.id,
  path: films.path,
  state: films.state,
  proposal: sql<StoredProposal | null>`${films.proposal}`,
};
type Row = Pick<typeof films.$inferSelect, "id" | "path" | "state"> & { proposal: StoredProposal | null };

/** The films that need a decision, grouped by folder. */
export async function listUndecidedFilms(limit: number) {
  const isToDecide = and(isUndecided, inArray(films.state, ["unsure", "unmatched"]));
  const [rows, all] = await Promise.all([
    db.select(undecidedColumns).from(films).where(isToDecide).orderBy(inOrder).limit(limit),
    db.$count(films, isToDecide),
  ]);
  const titledFilms = await withTitles(rows);
  const folders = groupBy(titledFilms, ({ path }) => folderOf(path));
  return {
    folders: [...folders].map(([folder, inFolder]) => ({
      folder,
      films: inFolder,
      suggested: mostSuggested(inFolder),
    })),
    shown: rows.length,
    all,
  };
}

/** The title that most films of the folder seem to belong to. */
function mostSuggested(all: readonly UndecidedFilm[]): UndecidedFolder["suggested"] {
  const counts = new Map<number, { title: string; count: number }>();
  for (const { match } of all)
    if (match)
      counts.set(match.malId, { title: match.title, count: (counts.get(match.malId)?.count ?? 0) + 1 });
  const [best] = [...counts].sort(([, one], [, other]) => other.count - one.count);
  return best ? { malId: best[0], title: best[1].title } : null;
}

export async function countUndecidedFilms() {
  const of = (condition: SQL) => sql<number>`count(*) filter (where ${condition})::int`;
  const [row] = await db
    .select({
      toDecide: of(sql`${films.state} in ('unsure', 'unmatched')`),
      extras: of(sql`${films.state} = 'extra'`),
      waiting: of(sql`${films.state} in ('waiting', 'whole')`),
    })
    .from(films)
    .where(isUndecided);
  const gone = await db.$count(
    films,
    sql`${films.goneAt} is not null and exists (select from ${episodeSources} where film_id = films.id)`,
  );
  const unjudged = await db.$count(films, isUnjudged);
  return { toDecide: 0, extras: 0, waiting: 0, ...row, unjudged, gone };
}

/** One film, or the films of a folder, for the decision page. Null if the film does not exist. */
export async function findFilmsToDecide(
  about: { film: string } | { folder: string },
): Promise<UndecidedFilm[] | null> {
  if ("film" in about && !isUuid(about.film)) return null;
  const condition =
    "film" in about ? eq(films.id, about.film) : and(isInFolder(about.folder), isNull(films.goneAt));
  const rows = await db.select(undecidedColumns).from(films).where(condition).orderBy(inOrder).limit(100);
  return rows.length === 0 && "film" in about ? null : withTitles(rows);
}

/** All films below a folder. For a whole root, only the films directly in it. */
function isInFolder(folder: string): SQL {
  if (folder === "") return sql`position('/' in ${films.path}) = 0`;
  const isBelow = sql`starts_with(${films.path}, ${`${folder}/`})`;
  if (!isWholeRoot(folder)) return isBelow;
  return sql`${isBelow} and position('/' in substr(${films.path}, ${folder.length + 2})) = 0`;
}

async function withTitles(rows: readonly Row[]): Promise<UndecidedFilm[]> {
  const matches = await getTitlesById(
    rows.flatMap(({ proposal }) => proposal?.malId ?? []),
    catalogKeeper,
  );
  return rows.map(({ id, path, state, proposal }) => {
    const match = matches.get(proposal?.malId ?? 0) ?? null;
    const last = proposal?.lastEpisode ?? proposal?.episode ?? 0;
    return {
      id,
      path,
      state: state ?? "waiting",
      name: proposal?.name ?? "",
      episode: proposal?.episode ?? null,
      lastEpisode: proposal?.lastEpisode ?? null,
      isSpecial: proposal?.isSpecial ?? false,
      piece: proposal?.piece ?? null,
      reasons: proposal?.reasons ?? [],
      isBeyondMatch: !proposal?.isSpecial && last > (match?.episodes ?? Infinity),
      match: match && { malId: match.malId, title: match.title },
    };
  });
}

/** The most recent decisions. */
export async function listDecisions(limit: number): Promise<DecidedFilm[]> {
  const rows = await db
    .select({
      id: filmDecisions.id,
      kind: filmDecisions.kind,
      folder: filmDecisions.folder,
      path: films.path,
      malId: filmDecisions.malId,
      episode: filmDecisions.episode,
      lastEpisode: filmDecisions.lastEpisode,
      shift: filmDecisions.shift,
      decidedAt: filmDecisions.decidedAt,
    })
    .from(filmDecisions)
    .leftJoin(films, eq(films.id, filmDecisions.filmId))
    .orderBy(desc(filmDecisions.decidedAt))
    .limit(limit);
  const decided = await getTitlesById(
    rows.flatMap(({ malId }) => malId ?? []),
    catalogKeeper,
  );
  return rows.map((row) => ({
    ...row,
    title: decided.get(row.malId ?? 0)?.title ?? null,
  }));
}

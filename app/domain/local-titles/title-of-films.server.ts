import { eq, sql } from "drizzle-orm";
import { done, type Outcome, refuse } from "#app/domain/errors.ts";
import type { Actor } from "#app/domain/events/events.server.ts";
import { isWholeRoot } from "#app/domain/films/films.ts";
import { decideFilm, findFilmsToDecide, wholeRootRefusal } from "#app/domain/scanning/scanning.server.ts";
import { db } from "#db/client.server.ts";
import { titles } from "#db/schema/catalog.ts";
import { localTitles } from "#db/schema/local-titles.ts";
import { createLocalTitle } from "./create-local-title.server.ts";

type Films =
  | { filmId: string; episode: number; lastEpisode?: number | undefined }
  | { folder: string; shift: number };

/**
 * Assigns films that have no title in the catalog to a local title. An existing local title with this name is used, so
 * that several folders can form one title.
 */
export async function giveFilmsLocalTitle(
  name: string,
  films: Films,
  actor: Actor,
): Promise<Outcome<{ malId: number; id: string }>> {
  const about = "filmId" in films ? { film: films.filmId } : { folder: films.folder };
  const filmsToDecide = await findFilmsToDecide(about);
  if (!filmsToDecide?.length) return refuse("not_found", "There is no such video");
  if ("folder" in films && isWholeRoot(films.folder)) return wholeRootRefusal;
  const known = await findLocalTitle(name);
  const title =
    known === null ? await createLocalTitle({ name, type: null, sameAs: [] }, actor) : done(known);
  if (!title.ok) return title;
  const decided = await decideFilm({ kind: "title", malId: title.value.malId, ...films }, actor);
  return decided.ok ? done({ malId: title.value.malId, id: decided.value.id }) : decided;
}

async function findLocalTitle(name: string): Promise<{ malId: number } | null> {
  const [row] = await db
    .select({ malId: titles.malId })
    .from(localTitles)
    .innerJoin(titles, eq(titles.malId, localTitles.malId))
    .where(sql`lower(${titles.title}) = lower(${name.trim()})`)
    .orderBy(titles.malId)
    .limit(1);
  return row ?? null;
}

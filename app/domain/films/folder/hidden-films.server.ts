import { dirname, sep } from "node:path";
import { eq, sql } from "drizzle-orm";
import { cachePerVersion } from "#app/domain/catalog-version/catalog-version.server.ts";
import {
  isOfDemonstration,
  unrestricted,
  type Viewer,
  viewerKey,
  visibleTo,
} from "#app/domain/visibility/visibility.server.ts";
import { errorFields, log } from "#app/platform/log.server.ts";
import { minutes } from "#app/platform/units.ts";
import { db } from "#db/client.server.ts";
import { titles } from "#db/schema/catalog.ts";
import { episodeSources, episodeSubtitles } from "#db/schema/episodes.ts";
import { films } from "#db/schema/films.ts";
import { filmDecisions } from "#db/schema/scanning.ts";
import { rootPathOf } from "./film-address.ts";
import { findRealPlace } from "./roots.server.ts";

/**
 * Finds the files of the roots that must not be served: films that operators ignore, and files whose titles are all
 * hidden, from everybody or from one viewer.
 */

let lastKnown: ReadonlySet<string> = new Set();

/** `file` must be a real path, because a link or another spelling would otherwise lead to the hidden film. */
export async function isHiddenFilm(file: string): Promise<boolean> {
  try {
    lastKnown = (await listWithheld(unrestricted)).files;
  } catch (error) {
    // Serving a film needs no database, so films keep playing while it does not answer.
    log.warn("could not read which films are hidden", errorFields(error));
  }
  return lastKnown.has(file);
}

const withheld = cachePerVersion<Withheld>(8, minutes(1));
type Withheld = { files: ReadonlySet<string>; folders: readonly string[] };

/** The files that are hidden from one viewer, and the folders of the playlists among them. All are real paths. */
export const listWithheld = (viewer: Viewer): Promise<Withheld> =>
  withheld(viewerKey(viewer), () => readWithheld(viewer));

async function readWithheld(viewer: Viewer): Promise<Withheld> {
  const files = new Set<string>();
  const folders = new Set<string>();
  // One at a time, because the same few threads also read other files.
  for (const { url, isPlaylist } of await listUrlsHiddenFrom(viewer)) {
    const path = rootPathOf(url);
    // A file that is gone, or a URL that only looks like a file's, needs no hiding.
    const place = path === null ? null : await findRealPlace(path).catch(() => null);
    if (place === null) continue;
    files.add(place.path);
    const folder = dirname(place.path);
    if (isPlaylist && folder !== place.holderPath) folders.add(folder + sep);
  }
  return { files, folders: [...folders] };
}

/** A file can be a source of several titles. It stays playable while one of them is visible. */
async function listUrlsHiddenFrom(viewer: Viewer): Promise<{ url: string; isPlaylist: boolean }[]> {
  const isHidden = sql`not bool_or(${visibleTo(viewer)})`;
  const sources = db
    .select({ url: episodeSources.url, isPlaylist: sql<boolean>`bool_or(${episodeSources.type} = 'hls')` })
    .from(episodeSources)
    .innerJoin(titles, eq(titles.malId, episodeSources.malId))
    .where(sql`${episodeSources.url} ~* '^(media:|/media/)'`)
    .groupBy(episodeSources.url)
    .having(isHidden);
  const subtitles = db
    .select({ url: episodeSubtitles.url, isPlaylist: sql<boolean>`false` })
    .from(episodeSubtitles)
    .innerJoin(titles, eq(titles.malId, episodeSubtitles.malId))
    .where(sql`${episodeSubtitles.url} ~* '^(media:|/media/)'`)
    .groupBy(episodeSubtitles.url)
    .having(isHidden);
  return (await Promise.all([sources, subtitles, listIgnored()])).flat();
}

/**
 * The films that operators ignore. An ignored film that is the source of an episode was added by hand afterwards, so it
 * is left out.
 */
const listIgnored = () =>
  db
    .select({
      url: sql<string>`'media:' || ${films.path}`,
      isPlaylist: sql<boolean>`${films.path} ~* '\\.m3u8?$'`,
    })
    .from(films)
    .where(
      sql`not ${isOfDemonstration(films.path)}
        and (${films.state} = 'ignored' or exists (
          select from ${filmDecisions} where film_id = ${films.id} and kind = 'ignored'))
        and not exists (select from ${episodeSources} where film_id = ${films.id})`,
    );

import { realpath } from "node:fs/promises";
import { dirname, join, sep } from "node:path";
import { eq, sql } from "drizzle-orm";
import {
  rememberPerVersion,
  unrestricted,
  type Viewer,
  viewerKey,
  visibleTo,
} from "#app/domain/catalog/catalog.server.ts";
import { mediaPath } from "#app/paths.ts";
import { errorFields, log } from "#app/platform/log.server.ts";
import { minutes } from "#app/platform/units.ts";
import { db } from "#db/client.server.ts";
import { titles } from "#db/schema/catalog.ts";
import { episodeSources, episodeSubtitles } from "#db/schema/episodes.ts";
import { films } from "#db/schema/films.ts";
import { filmDecisions } from "#db/schema/scanning.ts";
import { sourceUrlOf } from "./film-address.ts";

/**
 * Files of MEDIA_DIR that belong to titles which operators hide from everybody, or one viewer may not see, and to no other title,
 * and films that operators ignore.
 */

let lastKnown: ReadonlySet<string> = new Set();

/** `file` and `root` are real paths: another spelling or a link would otherwise lead to the film. */
export async function isHiddenFilm(file: string, root: string): Promise<boolean> {
  try {
    lastKnown = (await listWithheld(root, unrestricted)).files;
  } catch (error) {
    // Films need no database, so they keep playing while it does not answer.
    log.warn("could not read which films are hidden", errorFields(error));
  }
  return lastKnown.has(file);
}

const withheld = rememberPerVersion<Withheld>(8, minutes(1));
type Withheld = { files: ReadonlySet<string>; folders: readonly string[] };

/** The same for one viewer, and the folders of playlists that the viewer may not see. All are real paths, as `root` is. */
export const listWithheld = (root: string, viewer: Viewer): Promise<Withheld> =>
  withheld(`${viewerKey(viewer)} ${root}`, () => readWithheld(root, viewer));

async function readWithheld(root: string, viewer: Viewer): Promise<Withheld> {
  const files = new Set<string>();
  const folders = new Set<string>();
  // One after another, because other files are read by the same few threads.
  for (const { url, isPlaylist } of await listUrlsHiddenFrom(viewer)) {
    const file = await realFileOf(url, root);
    if (file === null) continue;
    files.add(file);
    const folder = dirname(file);
    if (isPlaylist && folder !== root) folders.add(folder + sep);
  }
  return { files, folders: [...folders] };
}

/** A file can be a source of several titles. One that is shown keeps it playable. */
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

/** One that is the source of an episode all the same was added by hand since. */
const listIgnored = () =>
  db
    .select({
      url: sql<string>`'media:' || ${films.path}`,
      isPlaylist: sql<boolean>`${films.path} ~* '\\.m3u8?$'`,
    })
    .from(films)
    .where(
      sql`not starts_with(${films.path}, '/film/')
        and (${films.state} = 'ignored' or exists (
          select from ${filmDecisions} where film_id = ${films.id} and kind = 'ignored'))
        and not exists (select from ${episodeSources} where film_id = ${films.id})`,
    );

async function realFileOf(url: string, root: string): Promise<string | null> {
  const path = sourceUrlOf(url).slice(mediaPath("").length);
  try {
    return await realpath(join(root, ...path.split("/").map(decodeURIComponent)));
  } catch {
    // The file is gone, or the URL names none.
    return null;
  }
}

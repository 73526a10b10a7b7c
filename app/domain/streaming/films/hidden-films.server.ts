import { realpath } from "node:fs/promises";
import { join } from "node:path";
import { eq, sql } from "drizzle-orm";
import { rememberPerVersion, unrestricted, visibleTo } from "#app/domain/catalog/catalog.server.ts";
import { mediaPath } from "#app/paths.ts";
import { errorFields, log } from "#app/platform/log.server.ts";
import { minutes } from "#app/platform/units.ts";
import { db } from "#db/client.server.ts";
import { titles } from "#db/schema/catalog.ts";
import { episodeSources, episodeSubtitles } from "#db/schema/episodes.ts";
import { sourceUrlOf } from "../streaming.ts";

/** Files of MEDIA_DIR that belong to titles which operators hide from everybody, and to no other title. */

const readAtVersion = rememberPerVersion<ReadonlySet<string>>(4, minutes(1));
let lastKnown: ReadonlySet<string> = new Set();

/** `file` and `root` are real paths: another spelling or a link would otherwise lead to the film. */
export async function isHiddenFilm(file: string, root: string): Promise<boolean> {
  try {
    lastKnown = await readAtVersion(root, () => readHiddenFiles(root));
  } catch (error) {
    // Films need no database, so they keep playing while it does not answer.
    log.warn("could not read which films are hidden", errorFields(error));
  }
  return lastKnown.has(file);
}

async function readHiddenFiles(root: string): Promise<ReadonlySet<string>> {
  const rows = await Promise.all([listHiddenUrls(episodeSources), listHiddenUrls(episodeSubtitles)]);
  const files = rows.flat().map(({ url }) => realFileOf(url, root));
  return new Set((await Promise.all(files)).filter((file) => file !== null));
}

/** A file can be a source of several titles. One that is shown keeps it playable. */
function listHiddenUrls(table: typeof episodeSources | typeof episodeSubtitles) {
  return db
    .select({ url: table.url })
    .from(table)
    .innerJoin(titles, eq(titles.malId, table.malId))
    .where(sql`${table.url} ~* '^(media:|/media/)'`)
    .groupBy(table.url)
    .having(sql`not bool_or(${visibleTo(unrestricted)})`);
}

async function realFileOf(url: string, root: string): Promise<string | null> {
  const path = sourceUrlOf(url).slice(mediaPath("").length);
  try {
    return await realpath(join(root, ...path.split("/").map(decodeURIComponent)));
  } catch {
    // The file is gone, or the URL names none.
    return null;
  }
}

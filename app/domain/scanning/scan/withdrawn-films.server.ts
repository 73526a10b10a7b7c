import { sql } from "drizzle-orm";
import { folderOf } from "#app/domain/films/films.server.ts";
import { malIdsOf } from "#app/domain/mal-ids.ts";
import { intArray, textArray, uuidArray } from "#db/arrays.ts";
import type { Transaction } from "#db/client.server.ts";
import { episodeSources, episodeSubtitles } from "#db/schema/episodes.ts";
import { films as filmRows } from "#db/schema/films.ts";
import { filmsBySubtitles } from "../names/beside-films.ts";

/** Deletes what a scan registered for films that are no longer sure. */

export async function withdrawFilms(
  transaction: Transaction,
  films: readonly { id: string; path: string }[],
): Promise<void> {
  const ids = sql`any (${uuidArray(films.map(({ id }) => id))})`;
  const lost = await transaction.execute<{ malId: number }>(sql`
    delete from ${episodeSources} where film_id = ${ids} returning mal_id as "malId"`);
  await deleteSubtitlesBeside(transaction, films, malIdsOf(lost));
  await transaction.execute(sql`update ${filmRows} set state = 'unsure' where id = ${ids}`);
}

/** Deletes the subtitles beside these films that belong to the titles. */
export async function deleteSubtitlesBeside(
  transaction: Transaction,
  lost: readonly { path: string }[],
  malIds: readonly number[],
): Promise<void> {
  const folders = [...new Set(lost.map(({ path }) => `media:${folderOf(path)}`))];
  if (folders.length === 0) return;
  const rows = await transaction.execute<{ url: string }>(sql`
    select distinct url from ${episodeSubtitles}
    where url ~* '^media:' and exists (select from unnest(${textArray(folders)}) as folder where starts_with(url, folder))`);
  const besides = filmsBySubtitles(
    rows.map(({ url }) => url.slice("media:".length)),
    lost.map(({ path }) => path),
  );
  const urls = [...besides.keys()].map((path) => `media:${path}`);
  if (urls.length > 0)
    await transaction.execute(
      sql`delete from ${episodeSubtitles} where url = any (${textArray(urls)}) and mal_id = any (${intArray(malIds)})`,
    );
}

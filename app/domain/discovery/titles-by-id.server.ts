import { listTitlesById } from "#app/domain/catalog/catalog.server.ts";
import type { Title } from "#app/domain/catalog/catalog.ts";
import type { Viewer } from "#app/domain/visibility/visibility.server.ts";

/** The titles of several lists, read in one query. Those that the viewer may not see are missing. */
export type TitlesById = ReadonlyMap<number, Title>;

export async function readTitles(ids: readonly number[], viewer: Viewer): Promise<TitlesById> {
  const titles = await listTitlesById([...new Set(ids)], viewer);
  return new Map(titles.map((title) => [title.malId, title]));
}

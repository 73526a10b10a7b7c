import { listTitlesById } from "#app/domain/catalog/catalog.server.ts";
import { displayTitle, isSingle } from "#app/domain/catalog/catalog.ts";
import { malIdsOf } from "#app/domain/mal-ids.ts";
import { catalogKeeper } from "#app/domain/visibility/visibility.server.ts";
import type { TitleLanguage } from "#app/domain/visitor/visitor.ts";
import { titlePath } from "#app/paths.ts";
import { drawnLanguageOf } from "#app/routes/views/title-views.server.ts";

/**
 * The names of titles in the operator's title language, the language of their drawn posters, and which go by their name
 * alone. Lists of the domain have the catalog's own names.
 */
export async function findTitleNames(malIds: readonly number[], language: TitleLanguage) {
  const titles = await listTitlesById([...new Set(malIds)], catalogKeeper);
  return new Map(
    titles.map((title) => [
      title.malId,
      {
        title: displayTitle(title, language),
        isSingle: isSingle(title),
        ...drawnLanguageOf(title, language),
      },
    ]),
  );
}

/** The rows of a table, each with its title's name in the operator's title language and the path of the title's page. */
export async function withTitleNames<Row extends { malId: number; title: string }>(
  rows: readonly Row[],
  language: TitleLanguage,
) {
  const names = await findTitleNames(malIdsOf(rows), language);
  return rows.map((row) => ({
    ...row,
    title: names.get(row.malId)?.title ?? row.title,
    path: titlePath(row.malId, row.title),
  }));
}

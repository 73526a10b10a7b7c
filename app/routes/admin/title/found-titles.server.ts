import { catalogKeeper, listTitles, listTitlesById } from "#app/domain/catalog/catalog.server.ts";
import { maxMalId } from "#app/domain/catalog/catalog.ts";

const maxFound = 12;

/** Titles by id or name, with what tells those of one name apart. */
export async function findTitles(text: string | undefined) {
  const asked = text?.trim() ?? "";
  if (asked === "") return [];
  const found =
    /^\d{1,10}$/.test(asked) && Number(asked) <= maxMalId
      ? await listTitlesById([Number(asked)], catalogKeeper)
      : (await listTitles({ filters: { search: asked }, perPage: maxFound }, catalogKeeper)).titles;
  return found.map(({ malId, title, titleEnglish, type, year }) => ({
    ...{ malId, title },
    note: [titleEnglish === title ? null : titleEnglish, type, year]
      .filter((part) => part !== null)
      .join(" · "),
  }));
}
export type FoundTitle = Awaited<ReturnType<typeof findTitles>>[number];

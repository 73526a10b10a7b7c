import type { TitleType } from "#app/domain/catalog/catalog.ts";
import { insertLocalTitle, readTextField } from "#app/domain/catalog-editing/catalog-editing.server.ts";
import { changeCatalog } from "#app/domain/catalog-version/catalog-version.server.ts";
import { done, type Outcome, refuse } from "#app/domain/errors.ts";
import { type Actor, recordEvent } from "#app/domain/events/events.server.ts";
import { titleInEvent } from "#app/domain/events/events.ts";
import { externalIdKey, externalIdOfUrl, parseExternalId } from "#app/domain/external-ids/external-ids.ts";
import { localTitles } from "#db/schema/local-titles.ts";

type NewTitle = {
  name: string;
  type: TitleType | null;
  /** Ids or URLs of the title on other sites, used to recognise it once the catalog has it. */
  sameAs: readonly string[];
};

const idsRefusal = refuse("invalid", "One of the fields is not valid", [
  { path: "sameAs", message: "must be ids such as mal:5114 or anidb:23, or addresses of the title's pages" },
]);

export async function createLocalTitle(
  { name, type, sameAs }: NewTitle,
  actor: Actor,
): Promise<Outcome<{ malId: number }>> {
  const title = readTextField("title", name);
  if (!title.ok) return title;
  const externalIds = sameAs.map(readId);
  if (externalIds.includes(null)) return idsRefusal;
  const values = { externalIds: [...new Set(externalIds.filter((id) => id !== null))] };
  const malId = await changeCatalog([], async (transaction) => {
    // Without a status and dates, a title whose video is here would say that it has not aired.
    const fields = { ...title.value, status: "Finished Airing" as const, ...(type && { type }) };
    const created = await insertLocalTitle(transaction, fields);
    await transaction.insert(localTitles).values({ malId: created, ...values });
    const detail = `${titleInEvent(name, created)}: a new local title`;
    await recordEvent({ kind: "title_edited", actor, detail }, transaction);
    return created;
  });
  return done({ malId });
}

/** MyAnimeList's id is the title's own key in the catalog, so it is not stored as an external id there. */
const malForm = /^(?:mal:|(?:https?:\/\/)?(?:www\.)?myanimelist\.net\/anime\/)([1-9]\d{0,8})(?!\d)/i;

function readId(text: string): string | null {
  const malId = malForm.exec(text)?.[1];
  if (malId !== undefined) return `mal:${malId}`;
  const id = externalIdOfUrl(text) ?? parseExternalId(text);
  return typeof id === "string" ? null : externalIdKey(id);
}

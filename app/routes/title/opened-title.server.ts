import { redirectIfReplaced } from "#app/access/replaced-title.server.ts";
import { getSharedTitle, pageOfEpisode } from "#app/domain/catalog/catalog.server.ts";
import { findHiddenTitle } from "#app/domain/catalog-editing/catalog-editing.server.ts";
import type { SimilarTitle } from "#app/domain/discovery/discovery.server.ts";
import type { FranchiseAround } from "#app/domain/franchises/franchises.server.ts";
import type { Viewer } from "#app/domain/visibility/visibility.server.ts";
import { titlePath } from "#app/paths.ts";
import { pageNumberIn } from "#app/platform/numbered-pages.ts";
import { timeAgoText } from "#app/routes/views/date-format.server.ts";
import { refusedTitle } from "#app/routes/views/title-refusal.server.ts";

/** Decides which part of a title its page shows. */

/** More pages than the episode list of any title has. */
const maxPage = 1000;

export function pageIn({ searchParams }: URL): number | null {
  const text = searchParams.get("episodes");
  return text === null ? null : pageNumberIn(text, maxPage);
}

/** The address of this page with all characters, staff and tags. */
export function withAllDetails(path: string, { searchParams }: URL): string {
  const query = new URLSearchParams(searchParams);
  query.set("details", "all");
  return `${path}?${query}`;
}

type Shared = Awaited<ReturnType<typeof getSharedTitle>>;

/** The ids of the titles in the rows below the title, and of its whole franchise. */
export const cardIdsOf = (
  { title }: Shared,
  similar: readonly SimilarTitle[],
  franchise: FranchiseAround | null,
): number[] => [
  ...(franchise?.places ?? []).map(({ malId }) => malId),
  ...(title.ok ? title.value.relations : []).flatMap((one) => (one.title === null ? [] : [one.title.malId])),
  ...similar.map((one) => one.title.malId),
];

/** The list of episodes opens where the member continues, unless the address names a page. */
export async function openedAt(
  { page, continuesAtEpisode }: { page: number | null; continuesAtEpisode: number },
  malId: number,
  { shared, viewer }: { shared: Shared; viewer: Viewer },
): Promise<Shared> {
  if (!shared.episodes.ok) return shared;
  const { lastPage, perPage } = shared.episodes.value;
  const shown = Math.max(1, Math.min(lastPage, page ?? pageOfEpisode(continuesAtEpisode, perPage)));
  return shown === (page ?? 1) ? shared : getSharedTitle(malId, shown, viewer);
}

/** The data of a hidden title, for operators. For all other viewers the title does not exist. */
export async function getHiddenTitle(malId: number, reader: Parameters<typeof refusedTitle>[1]) {
  await redirectIfReplaced(malId, (to) => titlePath(to, ""));
  const hidden = reader.user?.role === "operator" ? await findHiddenTitle(malId) : null;
  if (hidden === null) throw await refusedTitle(malId, reader);
  const { hiddenAt, ...title } = hidden;
  return { ...title, ago: timeAgoText(hiddenAt, new Date()) };
}

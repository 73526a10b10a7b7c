import { cachePerVersion } from "#app/domain/catalog-version/catalog-version.server.ts";
import { type Viewer, viewerKey } from "#app/domain/visibility/visibility.server.ts";
import { minutes } from "#app/platform/units.ts";
import type { Episode } from "./catalog.ts";
import { listEpisodes } from "./episodes.server.ts";
import { listExtras, type TitleExtras } from "./title-extras.server.ts";
import { getTitle } from "./visible-title.server.ts";

/** A title with one page of its episodes, shared by viewers with the same rights. */
type SharedTitle = {
  title: Awaited<ReturnType<typeof getTitle>>;
  episodes: Awaited<ReturnType<typeof listEpisodes>>;
  /** Empty if the viewer may not see the title. */
  extras: TitleExtras;
};

const noExtras: TitleExtras = { tags: [], streams: [], next: null, bannerCid: null };

/** Airing statuses change with the clock, so entries expire after a minute. */
const sharedTitles = cachePerVersion<SharedTitle>(150, minutes(1));

/** The number of episodes on a title's page if they have more than a number. */
const describedPerPage = 12;

/**
 * The part of a title's page that is the same for all viewers with the same rights. Episodes that have only a number
 * take little space, so a page shows a hundred of them.
 */
export const getSharedTitle = (malId: number, episodePage: number, viewer: Viewer): Promise<SharedTitle> =>
  sharedTitles(`${malId} ${episodePage} ${viewerKey(viewer)}`, async () => {
    const [title, first] = await Promise.all([getTitle(malId, viewer), listEpisodes(malId, 1, viewer)]);
    const perPage = first.ok && first.value.episodes.some(isDescribed) ? describedPerPage : undefined;
    const episodes =
      episodePage === 1 && perPage === undefined
        ? first
        : await listEpisodes(malId, episodePage, viewer, perPage);
    return { title, episodes, extras: title.ok ? await listExtras(malId) : noExtras };
  });

const isDescribed = ({ title, airedAt, durationSeconds, sources }: Episode) =>
  title !== null || airedAt !== null || durationSeconds !== null || sources.length > 0;

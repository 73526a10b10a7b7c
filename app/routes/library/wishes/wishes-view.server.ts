import { getTitlesById } from "#app/domain/catalog/catalog.server.ts";
import { continueOf } from "#app/domain/discovery/discovery.server.ts";
import { listOwnWishes, type WishTarget } from "#app/domain/library/library.server.ts";
import { malIdsOf } from "#app/domain/mal-ids.ts";
import type { Viewer } from "#app/domain/visibility/visibility.server.ts";
import type { TitleLanguage } from "#app/domain/visitor/visitor.ts";
import { watchPath } from "#app/paths.ts";
import { dayOfText } from "#app/routes/views/date-format.server.ts";
import { toTitleCard, toWatchLink } from "#app/routes/views/title-views.server.ts";
import type { WishRow } from "./wish-rows.tsx";

/** The member's wishes, each with its picture, when it was made and what became of it. */
export async function getOwnWishes(
  userId: string,
  viewer: Viewer,
  { titleLanguage, timeZone }: { titleLanguage: TitleLanguage; timeZone: string },
) {
  const { open, fulfilled, gone } = await listOwnWishes(userId, viewer);
  const ids = [...open, ...fulfilled, ...gone].map(({ malId }) => malId);
  const [titleOf, steps] = await Promise.all([
    getTitlesById(ids, viewer),
    continueOf(userId, malIdsOf(fulfilled), viewer),
  ]);
  const watchLinkOf = ({ malId, episode }: WishTarget) =>
    episode === null
      ? toWatchLink(steps.get(malId))
      : { label: `Watch · Ep ${episode}`, path: watchPath(malId, episode) };
  const rowsOf = (wishes: typeof open, endText: string): WishRow[] =>
    wishes.flatMap(({ malId, episode, wishedAt, endedAt }) => {
      const title = titleOf.get(malId);
      if (title === undefined) return [];
      const end = endedAt && `${endText} ${dayOfText(endedAt, timeZone)}`;
      return {
        ...toTitleCard(title, titleLanguage),
        story: [`Wished on ${dayOfText(wishedAt, timeZone)}`, end].filter(Boolean).join(" · "),
        wished: episode,
        watch: wishes === fulfilled ? watchLinkOf({ malId, episode }) : null,
      };
    });
  return {
    open: rowsOf(open, ""),
    fulfilled: rowsOf(fulfilled, "here since"),
    gone: rowsOf(gone, "came on"),
  };
}

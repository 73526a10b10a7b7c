import { useCallback, useState } from "react";
import type { Asked } from "./list-prompts.tsx";
import type { Reported } from "./player/state/progress-reports.ts";

const nothingAsked = { isWatched: false, isAdded: false, offersRewatch: false, offersCompleted: false };

/** What the reports of this episode ask the member. A closed notice stays closed. */
export function useAsked({ malId, episode }: { malId: number; episode: number }) {
  const [state, setState] = useState({ malId, episode, isClosed: false, ...nothingAsked });
  const isOwn = state.malId === malId && state.episode === episode;
  const onReported = useCallback(
    ({ watched, offers_completed, on_list, ...of }: Reported) => {
      if (!watched || of.malId !== malId || of.episode !== episode) return;
      setState((before) => {
        const isSame = before.malId === malId && before.episode === episode;
        const { isClosed, isAdded } = isSame ? before : { isClosed: false, isAdded: false };
        return {
          malId,
          episode,
          isClosed,
          isWatched: true,
          isAdded: isAdded || on_list?.added === true,
          offersRewatch: on_list?.offers_rewatch === true,
          offersCompleted: offers_completed,
        };
      });
    },
    [malId, episode],
  );
  const onClose = useCallback(() => setState((before) => ({ ...before, isClosed: true })), []);
  const asked: Asked = isOwn ? state : nothingAsked;
  const hasNotice = (asked.isAdded || asked.offersRewatch) && !state.isClosed;
  return { asked, hasNotice, onReported, onClose };
}

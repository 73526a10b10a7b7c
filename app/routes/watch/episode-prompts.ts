import { useCallback, useEffect, useRef, useState } from "react";
import { useRevalidator } from "react-router";
import type { EpisodePrompts } from "./list-prompts.tsx";
import type { ProgressAnswer } from "./player/state/progress-reports.ts";

const noPrompts = {
  isWatched: false,
  isAdded: false,
  isMoved: false,
  offersRewatch: false,
  offersCompleted: false,
};

/** The prompts for the member that follow from this episode's progress reports. A closed notice stays closed. */
export function useEpisodePrompts({ malId, episode }: { malId: number; episode: number }) {
  const [state, setState] = useState({ malId, episode, isClosed: false, ...noPrompts });
  const isOwn = state.malId === malId && state.episode === episode;
  const { revalidate } = useRevalidator();
  const isOpen = useIsOpen();
  const onReported = useCallback(
    ({ watched, offers_completed, on_list, ...of }: ProgressAnswer) => {
      if (!watched) return;
      // The member has left for another page. It was loaded before this report and may show the title's old state.
      if (!isOpen.current) return void revalidate();
      if (of.malId !== malId) return;
      const isOfThisEpisode = of.episode === episode;
      setState((before) => {
        const shown =
          before.malId === malId && before.episode === episode
            ? before
            : { malId, episode, isClosed: false, ...noPrompts };
        const listed = {
          ...shown,
          isAdded: shown.isAdded || on_list?.added === true,
          isMoved: shown.isMoved || on_list?.moved === true,
        };
        if (!isOfThisEpisode) return listed;
        return {
          ...listed,
          isWatched: true,
          offersRewatch: on_list?.offers_rewatch === true,
          offersCompleted: offers_completed,
        };
      });
    },
    [malId, episode, isOpen, revalidate],
  );
  const onClose = useCallback(() => setState((before) => ({ ...before, isClosed: true })), []);
  const prompts: EpisodePrompts = isOwn ? state : noPrompts;
  const hasNotice = (prompts.isAdded || prompts.isMoved || prompts.offersRewatch) && !state.isClosed;
  return { prompts, hasNotice, onReported, onClose };
}

/** False once the member has left the watch pages. The last progress report is sent at that moment. */
function useIsOpen() {
  const isOpen = useRef(true);
  useEffect(() => {
    isOpen.current = true;
    return () => {
      isOpen.current = false;
    };
  }, []);
  return isOpen;
}

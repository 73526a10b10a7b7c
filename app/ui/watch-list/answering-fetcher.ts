import { useEffect } from "react";
import { useFetcher } from "react-router";
import type { EditAnswer } from "./edit-answer.ts";

/** A fetcher that calls `onAnswer` when its form gets an answer. */
export function useAnsweringFetcher(onAnswer: (answer: EditAnswer) => void, key?: string) {
  const fetcher = useFetcher<EditAnswer>(key === undefined ? {} : { key });
  useEffect(() => {
    if (fetcher.data) onAnswer(fetcher.data);
  }, [fetcher.data, onAnswer]);
  return fetcher;
}

/**
 * The values that the fetcher has just saved, until the page is loaded again. A field that did not take them would keep
 * them if they are undone before that, because then the page's own value never changes.
 */
export const justSaved = ({ state, data }: ReturnType<typeof useFetcher<EditAnswer>>) =>
  state === "loading" ? data?.undo?.[0]?.after : undefined;

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

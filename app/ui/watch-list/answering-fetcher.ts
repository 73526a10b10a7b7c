import { useEffect, useState } from "react";
import { useFetcher, useLoaderData } from "react-router";
import type { EntryChange } from "#app/domain/library/library.ts";
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
 * The values that the fetcher has saved since the page was loaded. A field that did not take them would keep them if they
 * are undone before the page is loaded again, because then the page's own value never changes.
 */
export function useSaved({ data }: ReturnType<typeof useFetcher<EditAnswer>>) {
  const loaded = useLoaderData<unknown>();
  const [saved, setSaved] = useState<SavedValues>({});
  useEffect(() => {
    const after = data?.undo?.[0]?.after;
    if (after) setSaved((before) => ({ ...before, ...after }));
  }, [data]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs when the page is loaded again
  useEffect(() => setSaved({}), [loaded]);
  return saved;
}

type SavedValues = Partial<NonNullable<EntryChange["after"]>>;

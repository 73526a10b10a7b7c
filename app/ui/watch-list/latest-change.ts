import { useEffect, useState } from "react";
import type { ListChanged } from "./list-change.ts";

/**
 * Rows save themselves apart from the page, and a row that was removed is no longer there to say so: every answer
 * comes by here, and the last has the word.
 */
let listener: ((change: ListChanged) => void) | undefined;

const isChange = (answer: unknown): answer is ListChanged =>
  typeof answer === "object" && answer !== null && "undo" in answer;

export function announce<Answer>(answer: Answer): Answer {
  if (isChange(answer)) listener?.(answer);
  return answer;
}

/** Without scripts the page's own answer is all there is. */
export function useLatestChange(pageAnswer: unknown): ListChanged | undefined {
  const [latest, setLatest] = useState<ListChanged>();
  useEffect(() => {
    listener = setLatest;
    return () => {
      listener = undefined;
    };
  }, []);
  return latest ?? (isChange(pageAnswer) ? pageAnswer : undefined);
}

import { useCallback, useRef, useState } from "react";
import type { EditAnswer } from "#app/ui/watch-list/edit-answer.ts";
import { afterEdit, afterEditElsewhere, afterUndo, type Edits, noEdits } from "./entry-edits.ts";

/** The edits of the list entry since the page of this episode was opened. `place` names the episode. */
export function useEdits(place: string) {
  const [state, setState] = useState({ place, ...noEdits });
  // When the viewer returns to an episode, its page has newer data than these edits.
  if (state.place !== place) setState({ place, ...noEdits });
  const edits: Edits = state.place === place ? state : noEdits;
  const undone = useRef<Edits["answer"]>(undefined);
  const change = useCallback(
    (changed: (before: Edits) => Edits) =>
      setState((before) => (before.place === place ? { place, ...changed(before) } : before)),
    [place],
  );
  const onAnswer = useCallback(
    (answer: EditAnswer) => change((before) => afterEdit(before, answer)),
    [change],
  );
  const onAnswerElsewhere = useCallback(
    (answer: EditAnswer) => change((before) => afterEditElsewhere(before, answer)),
    [change],
  );
  // Remembers the edit that Undo was pressed for: another edit may be answered before the undo is.
  const onUndo = () => {
    undone.current = edits.answer;
  };
  const onUndone = useCallback(
    (answer: EditAnswer) => change((before) => afterUndo(before, answer, undone.current)),
    [change],
  );
  return { ...edits, onAnswer, onAnswerElsewhere, onUndo, onUndone };
}

import { type ReactNode, useEffect, useRef } from "react";
import type { useFetcher } from "react-router";
import type { EditAnswer } from "./edit-answer.ts";

type Props = {
  fetcher: ReturnType<typeof useFetcher>;
  undo: NonNullable<EditAnswer["undo"]>;
  /** The path whose action answers, if it is not the current page's. */
  path?: string;
  /** Called each time an undo is sent. */
  onSent?(): void;
  children: ReactNode;
};

/**
 * Sends an undo only once, however often its button is pressed. The answer to a second one would be that nothing was
 * undone.
 */
export function UndoForm({ fetcher: { Form, state }, undo, path, onSent, children }: Props) {
  const entries = JSON.stringify(undo);
  const sent = useRef<string>(undefined);
  useEffect(() => {
    if (state !== "submitting") sent.current = undefined;
  }, [state]);
  return (
    <Form
      method="post"
      {...(path && { action: path })}
      onSubmit={(event) => {
        if (sent.current === entries) return event.preventDefault();
        sent.current = entries;
        onSent?.();
      }}
    >
      <input type="hidden" name="intent" value="restore" />
      <input type="hidden" name="entries" value={entries} />
      {children}
    </Form>
  );
}

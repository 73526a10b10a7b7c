import { type FocusEvent, useEffect, useRef, useState } from "react";
import { data, Form } from "react-router";
import type { EntryChange } from "#app/domain/library/library.ts";
import { CheckIcon, CloseIcon, Line } from "../icons/icons.tsx";

/** The server's answer to an edit of the watch list; a refusal has only a message. */
export type EditAnswer = {
  message: string;
  /** Only a refusal has issues. */
  issues?: readonly unknown[];
  /** What the Undo button sends back. */
  undo?: (EntryChange | { malId: number; place: string; before?: undefined; after?: undefined })[];
  /** The answer to an undo says whether it changed the list. */
  isUndone?: boolean;
  /** The entry whose last episode the member has just watched. */
  offersCompleted?: { malId: number } | null;
};

/** Whether the page has a place for answers. */
export const hasNotice = () => show !== undefined;

let show: ((answer: EditAnswer) => void) | undefined;

/** Shows the answer to a form with a fetcher, which the page's `actionData` never holds. */
export function announce<Answer extends EditAnswer>(answer: Answer): Answer {
  show?.(answer);
  return answer;
}

/** Shows the answer to the forms of a page. A request that fails would replace the page. */
export async function announceAnswer<Answer extends EditAnswer>(sent: Promise<Answer>) {
  try {
    return announce(await sent);
  } catch (thrown) {
    // A redirect, as to the page to sign in
    if (thrown instanceof Response) throw thrown;
    // With this status, the page does not load its data again, which would fail too.
    return data(announce({ message: "Not saved. Try again.", issues: [] }), 503);
  }
}

/** Shows what the latest edit did, with Undo and, after the last episode, "Mark as Completed". */
export function EditNotice({ pageAnswer }: { pageAnswer: EditAnswer | undefined }) {
  const [latest, setLatest] = useState(pageAnswer);
  useEffect(() => {
    show = setLatest;
    return () => {
      show = undefined;
    };
  }, []);
  useEffect(() => {
    if (pageAnswer) setLatest(pageAnswer);
  }, [pageAnswer]);
  const { message, undo = [], offersCompleted, issues } = latest ?? {};
  const onFocus = useReturnedFocus(latest);
  const toast = useRef<HTMLDivElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: each answer is shown anew
  useEffect(() => raise(toast.current), [latest]);
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the handler only remembers where the focus came from
    <div role={issues ? "alert" : "status"} onFocus={onFocus}>
      {message && (
        <div className="toast" ref={toast}>
          <span>{message}</span>
          {offersCompleted && (
            <Form method="post" preventScrollReset>
              <input type="hidden" name="mal_id" value={offersCompleted.malId} />
              <input type="hidden" name="type" value="Completed" />
              <button
                className="button"
                data-kind="primary"
                data-size="small"
                type="submit"
                name="intent"
                value="save"
              >
                <CheckIcon />
                Mark as Completed
              </button>
            </Form>
          )}
          {undo.length > 0 && (
            <Form method="post" preventScrollReset>
              <input type="hidden" name="entries" value={JSON.stringify(undo)} />
              <UndoButton />
            </Form>
          )}
          <button
            className="icon-button script-only"
            type="button"
            aria-label="Close this message"
            onClick={() => setLatest(undefined)}
          >
            <CloseIcon />
          </button>
        </div>
      )}
    </div>
  );
}

/** Above an open sheet, which would hide the notice. Without scripts, there is no notice while a sheet is open. */
function raise(toast: HTMLElement | null) {
  if (!toast?.showPopover || toast.contains(document.activeElement)) return;
  toast.popover = "manual";
  toast.hidePopover();
  toast.showPopover();
}

/** Ctrl+Z presses it from wherever the focus is: in a long list, the button is hundreds of Tab presses away. */
function UndoButton() {
  const button = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      const { key, ctrlKey, metaKey, shiftKey, altKey, target } = event;
      if (key.toLowerCase() !== "z" || !(ctrlKey || metaKey) || shiftKey || altKey) return;
      // The browser undoes typing itself.
      if ((target as Element).matches("textarea, input:not([type=checkbox])")) return;
      event.preventDefault();
      button.current?.click();
    };
    addEventListener("keydown", onKey);
    return () => removeEventListener("keydown", onKey);
  }, []);
  return (
    <button
      ref={button}
      className="button"
      data-size="small"
      type="submit"
      name="intent"
      value="restore"
      aria-keyshortcuts="Control+Z"
      title="Ctrl+Z"
    >
      <Line d="M8 5 4 9l4 4M4.5 9H14a5.5 5.5 0 0 1 0 11H9" />
      Undo
    </button>
  );
}

/** When a pressed button of the notice is gone, the focus goes back to where it came from, instead of to the top. */
function useReturnedFocus(shown: unknown) {
  const before = useRef<HTMLElement | null>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another answer, or none, takes buttons away
  useEffect(() => {
    if (document.activeElement === document.body) before.current?.focus();
    before.current = null;
  }, [shown]);
  return ({ currentTarget, relatedTarget }: FocusEvent) => {
    if (!currentTarget.contains(relatedTarget)) before.current = relatedTarget as HTMLElement | null;
  };
}

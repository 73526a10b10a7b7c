import { type FocusEvent, useEffect, useRef, useState } from "react";
import { createPortal } from "react-dom";
import { Form } from "react-router";
import { takeLostFocus } from "../forms/focus-passed-on.ts";
import { CheckIcon, CloseIcon, IconLine } from "../icons/icons.tsx";
import { useAnsweringFetcher } from "./answering-fetcher.ts";
import { type EditAnswer, showAnswersWith } from "./edit-answer.ts";
import { UndoForm } from "./undo-form.tsx";

type Props = {
  pageAnswer: EditAnswer | undefined;
  /**
   * An element between the fields that are edited. The notice of their edit stands there, because over the page it would
   * hide them.
   */
  place?: HTMLElement | null;
};

/** Shows what the latest edit did, with Undo and, after the last episode, "Mark as Completed". */
export function EditNotice({ pageAnswer, place: openPlace }: Props) {
  const [latest, setLatest] = useState(pageAnswer);
  const place = usePlaceOf(latest, openPlace);
  useEffect(() => showAnswersWith(setLatest), []);
  useEffect(() => {
    if (pageAnswer) setLatest(pageAnswer);
  }, [pageAnswer]);
  const undoing = useAnsweringFetcher(setLatest);
  const { message, undo = [], offersCompleted, offersNever, issues } = latest ?? {};
  const onFocus = useReturnedFocus(latest);
  const toast = useRef<HTMLDivElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: each answer is shown anew
  useEffect(() => {
    if (place) toast.current?.scrollIntoView({ block: "nearest" });
    else raise(toast.current);
  }, [latest, place]);
  const notice = (
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
            <UndoForm fetcher={undoing} undo={undo}>
              <UndoButton />
            </UndoForm>
          )}
          {offersNever && (
            <Form method="post" preventScrollReset>
              <input type="hidden" name="intent" value="save" />
              <input type="hidden" name="mal_id" value={offersNever.malId} />
              <input type="hidden" name="type" value="To Watch" />
              <button className="button" data-size="small" type="submit" name="never" value="1">
                Never do this
              </button>
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
  return place ? createPortal(notice, place) : notice;
}

/** The place that was open when the answer came, as long as it is: the notice does not move into another entry. */
function usePlaceOf(latest: EditAnswer | undefined, open: HTMLElement | null | undefined) {
  const [answered, setAnswered] = useState({ latest, open });
  if (answered.latest !== latest) setAnswered({ latest, open });
  return answered.open === open ? open : null;
}

/**
 * Raises the notice above an open sheet, which would hide it. Without scripts no notice is visible while a sheet is
 * open.
 */
function raise(toast: HTMLElement | null) {
  if (!toast?.showPopover || toast.contains(document.activeElement)) return;
  toast.popover = "manual";
  toast.hidePopover();
  toast.showPopover();
}

/** Ctrl+Z presses the button from any focus: in a long list, it can be hundreds of Tab presses away. */
function UndoButton() {
  const button = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      const { key, ctrlKey, metaKey, shiftKey, altKey, target } = event;
      if (key.toLowerCase() !== "z" || !(ctrlKey || metaKey) || shiftKey || altKey) return;
      // In text fields, the browser itself undoes typing.
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
      aria-keyshortcuts="Control+Z"
      title="Ctrl+Z"
    >
      <IconLine d="M8 5 4 9l4 4M4.5 9H14a5.5 5.5 0 0 1 0 11H9" />
      Undo
    </button>
  );
}

/**
 * When a pressed button of the notice disappears, returns the focus to the element that had it before, instead of the
 * top. If that element is gone too, the next button of the notice gets the focus.
 */
function useReturnedFocus(shown: unknown) {
  const entered = useRef<{ notice: Element; from: HTMLElement | null }>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another answer, or none, takes buttons away
  useEffect(() => {
    const { notice, from } = entered.current ?? {};
    takeLostFocus(from);
    takeLostFocus(notice?.querySelector("button"));
    entered.current = null;
  }, [shown]);
  return ({ currentTarget, relatedTarget }: FocusEvent) => {
    if (currentTarget.contains(relatedTarget)) return;
    entered.current = { notice: currentTarget, from: relatedTarget as HTMLElement | null };
  };
}

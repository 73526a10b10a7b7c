import { useEffect, useState } from "react";
import { Form } from "react-router";
import type { EntryChange } from "#app/domain/library/library.ts";
import { CheckIcon, CloseIcon, Line } from "../icons/icons.tsx";

/** The server's answer to an edit of the watch list; a refusal has only a message. */
export type EditAnswer = {
  message: string;
  /** Only a refusal has issues. */
  issues?: readonly unknown[];
  /** What the Undo button sends back. */
  undo?: EntryChange[];
  /** The entry whose last episode the member has just watched. */
  offersCompleted?: { malId: number } | null;
};

let show: ((answer: EditAnswer) => void) | undefined;

/** Shows the answer to a form with a fetcher, which the page's `actionData` never holds. */
export function announce<Answer extends EditAnswer>(answer: Answer): Answer {
  show?.(answer);
  return answer;
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
  return (
    <div role={issues ? "alert" : "status"}>
      {message && (
        <div className="toast">
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
              <button className="button" data-size="small" type="submit" name="intent" value="restore">
                <Line d="M8 5 4 9l4 4M4.5 9H14a5.5 5.5 0 0 1 0 11H9" />
                Undo
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
}

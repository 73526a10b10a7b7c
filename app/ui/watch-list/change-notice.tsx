import { Form } from "react-router";
import { CheckIcon } from "../icons.tsx";
import type { ListChanged } from "./list-change.ts";
import { UndoIcon } from "./list-icons.tsx";

/** Says what has just changed, and offers what a viewer may want next: to take it back, or to call a series done. */
export function ChangeNotice({ changed }: { changed: ListChanged | undefined }) {
  return (
    <div role="status" className="list-notice">
      {changed && (
        <div className="toast">
          <span>{changed.words}</span>
          {changed.offersCompleted && (
            <Form method="post" preventScrollReset>
              <input type="hidden" name="mal_id" value={changed.offersCompleted.malId} />
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
          {changed.undo.length > 0 && (
            <Form method="post" preventScrollReset>
              <input type="hidden" name="entries" value={JSON.stringify(changed.undo)} />
              <button className="button" data-size="small" type="submit" name="intent" value="restore">
                <UndoIcon />
                Undo
              </button>
            </Form>
          )}
        </div>
      )}
    </div>
  );
}

import { Form } from "react-router";
import { useFocusPassedOn } from "#app/ui/forms/focus-passed-on.ts";
import type { FieldView } from "./title-view.server.ts";

/** These buttons belong to a form elsewhere on the page, because HTML does not nest forms. */

const unlockId = "unlock";

/** Rendered once on the page. */
export const unlockForm = (
  <Form method="post" id={unlockId} preventScrollReset>
    <input type="hidden" name="intent" value="unlock" />
  </Form>
);

type NoteProps = Pick<FieldView, "field" | "note" | "isLocked" | "othersSay"> & { label: string };

/** The source of a field, and the button that unlocks it. */
export const SourceNote = ({ field, note, isLocked, othersSay, label }: NoteProps) => (
  <p className="admin-source" data-locked={isLocked || undefined}>
    <span>
      {note}
      {othersSay !== null && <span className="quiet"> {othersSay}</span>}
    </span>
    {isLocked && <UnlockButton field={field} label={label} />}
  </p>
);

const UnlockButton = ({ field, label }: Pick<NoteProps, "field" | "label">) => (
  <button
    ref={useFocusPassedOn<HTMLButtonElement>()}
    className="button"
    data-kind="ghost"
    data-size="small"
    type="submit"
    form={unlockId}
    name="field"
    value={field}
    aria-label={`Unlock: ${label}`}
  >
    Unlock
  </button>
);

import { Form } from "react-router";
import { ChoiceSelect } from "#app/ui/forms/choice-select.tsx";
import { AdminField } from "./admin-page.tsx";

export const roleLabels = { user: "Member", operator: "Operator" } as const;

const roles = [
  ["user", roleLabels.user],
  ["operator", roleLabels.operator],
] as const;

/**
 * Creates an account, also on a site that is closed to sign-ups. The answer has a link with which the member sets a
 * password. `typed` holds the fields of a refused form, so that they show again without scripts too.
 */
export const NewMemberForm = ({ typed }: { typed?: Record<string, string> | undefined }) => (
  <details open={typed !== undefined}>
    <summary className="button" data-kind="ghost" data-size="small">
      Create an account
    </summary>
    <Form method="post" className="stack">
      <div className="admin-line">
        <AdminField label="Name" name="name" value={typed?.name} />
        <AdminField label="E-mail address" name="email" value={typed?.email} />
        <ChoiceSelect label="Role" name="role" chosen={typed?.role ?? "user"} choices={roles} />
      </div>
      <label className="check">
        <input type="checkbox" name="confirmed" value="1" />
        If it is an operator: they may manage videos and accounts, yours too
      </label>
      <p className="quiet">You get a link to pass on. With it, the new member sets a password.</p>
      <button className="button settings-save" type="submit" name="intent" value="create">
        Create the account
      </button>
    </Form>
  </details>
);

import { useEffect } from "react";
import { Form, useSubmit } from "react-router";
import { TextField } from "#app/ui/forms/text-field.tsx";

/**
 * Takes the code of an invitation from the fragment of its link, and asks for it where there are no scripts. The code then
 * leaves the address, so that it stays in no history and is in no picture of the screen.
 */
export function InvitationForm({ isShown, error }: { isShown: boolean; error: string | undefined }) {
  const submit = useSubmit();
  useEffect(() => {
    const invitation = location.hash.slice(1);
    if (!/^[\w-]{43}$/.test(invitation)) return;
    history.replaceState(history.state, "", location.pathname + location.search);
    // The router still knows the fragment, and would write it into the address again.
    const action = location.pathname + location.search;
    void submit({ intent: "invitation", invitation }, { method: "post", replace: true, action });
  }, [submit]);
  if (!isShown) return null;
  return (
    <Form method="post">
      <input type="hidden" name="intent" value="invitation" />
      <TextField
        label="Invitation"
        name="invitation"
        autoComplete="off"
        hint="People sign up here by invitation. Paste the link or the code that you got."
        error={error}
      />
      <button className="button" data-kind="primary" data-wide type="submit">
        Continue
      </button>
    </Form>
  );
}

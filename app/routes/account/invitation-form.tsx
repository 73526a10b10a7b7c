import { useEffect } from "react";
import { Form, useSubmit } from "react-router";
import { TextField } from "#app/ui/forms/text-field.tsx";

/**
 * Takes the invitation code from the fragment of its link. Without scripts, the form asks for the code. The code is
 * removed from the address, so that it stays out of the history and of screenshots.
 */
export function InvitationForm({ isShown, error }: { isShown: boolean; error: string | undefined }) {
  const submit = useSubmit();
  useEffect(() => {
    const invitation = location.hash.slice(1);
    if (!/^[\w-]{43}$/.test(invitation)) return;
    history.replaceState(history.state, "", location.pathname + location.search);
    // The router still has the fragment, and would put it back into the address.
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
        hint="People sign up here by invitation. If this page does not read yours from its link, paste the link or the code that you got."
        error={error}
      />
      <button className="button" data-kind="primary" data-wide type="submit">
        Continue
      </button>
    </Form>
  );
}

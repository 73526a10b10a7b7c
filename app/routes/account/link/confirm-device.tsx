import { useEffect, useId, useRef } from "react";
import { Form, useSubmit } from "react-router";
import { linkPath } from "#app/paths.ts";
import { takeLostFocus } from "#app/ui/forms/focus-passed-on.ts";
import { errorsByField } from "#app/ui/forms/form-errors.ts";
import { ErrorSummary, Notice } from "#app/ui/forms/form-field.tsx";
import { OnceForm } from "#app/ui/forms/once-form.tsx";
import { TextField } from "#app/ui/forms/text-field.tsx";
import { takeCode } from "./stored-code.ts";

type WaitingDevice = { userCode: string; device: string; asked: string; isSameNetwork: boolean };
type Answer =
  | { notice: string }
  | { waiting: WaitingDevice }
  | NonNullable<Parameters<typeof errorsByField>[0]>;
type Profile = { id: string; name: string; email: string };

/** A signed-in member types the code of a screen, and sees which device it is before confirming. */
export function ConfirmDevice({ profile, answer }: { profile: Profile; answer: Answer | undefined }) {
  const submit = useSubmit();
  useEffect(() => {
    const code = takeCode();
    // The router still has the fragment, and would put it back into the address.
    const action = linkPath();
    if (code !== null) void submit({ intent: "look", code }, { method: "post", replace: true, action });
  }, [submit]);
  if (answer && "waiting" in answer) return <Question waiting={answer.waiting} profile={profile} />;
  const formErrors = errorsByField(answer && "issues" in answer ? answer : undefined);
  return (
    <>
      {answer && "notice" in answer && (
        <div tabIndex={-1} ref={takeLostFocus}>
          <Notice>{answer.notice}</Notice>
        </div>
      )}
      <ErrorSummary message={formErrors.message} answer={answer} />
      <p className="lead">
        A screen that shows a code is signed in as {profile.name} ({profile.email}) once you confirm it here.
      </p>
      <Form method="post">
        <input type="hidden" name="intent" value="look" />
        <TextField
          label="Code on the screen"
          name="code"
          autoComplete="off"
          hint="Eight letters, such as BCDF-GHJK."
          formErrors={formErrors}
        />
        <button className="button" data-kind="primary" data-wide type="submit">
          Continue
        </button>
      </Form>
    </>
  );
}

/** Takes the focus, so that a screen reader reads the question and the warning before the buttons. */
function Question({ waiting, profile }: { waiting: WaitingDevice; profile: Profile }) {
  const { device, userCode, asked, isSameNetwork } = waiting;
  const id = useId();
  const question = useRef<HTMLDivElement>(null);
  useEffect(() => question.current?.focus(), []);
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset is for fields
    <div
      className="stack"
      role="group"
      tabIndex={-1}
      ref={question}
      aria-labelledby={`${id}-question`}
      aria-describedby={`${id}-code ${id}-warning`}
    >
      <p className="lead" id={`${id}-question`}>
        <b>{device}</b> asks to be signed in as <b>{profile.name}</b> ({profile.email}). It asked {asked},
        from {isSameNetwork ? "your network" : "a network that is not yours"}.
      </p>
      <p className="link-code" id={`${id}-code`}>
        {userCode}
      </p>
      <p id={`${id}-warning`}>
        Confirm only if this code is on a screen in front of you. Whoever has that screen then uses your
        account. If somebody sent you the code or this link, refuse.
      </p>
      <OnceForm className="link-buttons">
        <input type="hidden" name="code" value={userCode} />
        <input type="hidden" name="profile" value={profile.id} />
        <button className="button" data-kind="primary" type="submit" name="intent" value="confirm">
          Sign in that screen
        </button>
        <button className="button" type="submit" name="intent" value="deny">
          Refuse
        </button>
      </OnceForm>
    </div>
  );
}

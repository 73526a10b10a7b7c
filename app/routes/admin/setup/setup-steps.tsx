import { Form } from "react-router";
import { adminSetupPath } from "#app/admin-paths.ts";
import { type SetupStep, setupSteps, stepAfter, stepText, stepTitles } from "#app/domain/setup/setup.ts";
import { adminPath } from "#app/paths.ts";
import { Link } from "#app/ui/link.tsx";

export const StepLinks = ({ step }: { step: SetupStep }) => (
  <nav className="setup-steps" aria-label="Steps">
    <p className="quiet">
      <Link className="link" to={adminPath()}>
        Administration
      </Link>
      {" · "}
      {/* A screen reader reads it aloud when the step changes. */}
      <span role="status">Setup, {stepText(step)}</span>
    </p>
    <ol className="admin-nav">
      {setupSteps.map((name) => (
        <li key={name}>
          <Link
            className="chip"
            to={adminSetupPath({ step: name })}
            aria-current={name === step ? "step" : undefined}
          >
            {stepTitles[name]}
          </Link>
        </li>
      ))}
    </ol>
  </nav>
);

/** `isDone`: the step needs nothing more, so going on does not skip it. */
export function StepButtons({ step, isDone }: { step: SetupStep; isDone: boolean }) {
  const previous = setupSteps[setupSteps.indexOf(step) - 1];
  const isLast = stepAfter(step) === undefined;
  return (
    <Form method="post" className="admin-line setup-buttons">
      {previous && (
        <Link className="button" data-kind="ghost" to={adminSetupPath({ step: previous })}>
          Back
        </Link>
      )}
      <input type="hidden" name="step" value={step} />
      <button
        className="button"
        data-kind={isDone ? "primary" : undefined}
        type="submit"
        name="intent"
        value="next"
      >
        {isLast ? "Go to the site" : isDone ? "Continue" : "Skip this step"}
      </button>
    </Form>
  );
}

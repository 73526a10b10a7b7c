import { adminSetupPath, type SetupStep } from "#app/admin-paths.ts";
import { homePath } from "#app/paths.ts";
import { Link } from "#app/ui/link.tsx";

/** The order of the steps, and their titles. */
export const setupSteps = [
  ["videos", "Media folder"],
  ["found", "What was found"],
  ["catalog", "Catalog"],
  ["people", "People"],
  ["watch", "Watch"],
] as const satisfies readonly (readonly [SetupStep, string])[];

const indexOf = (step: SetupStep) => setupSteps.findIndex(([name]) => name === step);

export function StepLinks({ step }: { step: SetupStep }) {
  const number = indexOf(step) + 1;
  return (
    <nav className="setup-steps" aria-label="Steps">
      <p className="quiet">
        Setup, step {number} of {setupSteps.length}
      </p>
      <ol className="admin-nav">
        {setupSteps.map(([name, title]) => (
          <li key={name}>
            <Link
              className="chip"
              to={adminSetupPath({ step: name })}
              aria-current={name === step ? "step" : undefined}
            >
              {title}
            </Link>
          </li>
        ))}
      </ol>
    </nav>
  );
}

/**
 * `isDone`: the step needs nothing more, so going on does not skip it. The step People has a form whose button saves and
 * goes on, so the link beside it is not the next thing to press.
 */
export function StepButtons({ step, isDone }: { step: SetupStep; isDone: boolean }) {
  const index = indexOf(step);
  const [previous, next] = [setupSteps[index - 1], setupSteps[index + 1]];
  return (
    <p className="admin-line setup-buttons">
      {previous && (
        <Link className="button" data-kind="ghost" to={adminSetupPath({ step: previous[0] })}>
          Back
        </Link>
      )}
      {next ? (
        <Link
          className="button"
          data-kind={isDone && step !== "people" ? "primary" : undefined}
          to={adminSetupPath({ step: next[0] })}
        >
          {isDone ? "Continue" : "Skip this step"}
        </Link>
      ) : (
        <Link className="button" to={homePath()}>
          Go to the site
        </Link>
      )}
    </p>
  );
}

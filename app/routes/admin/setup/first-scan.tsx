import { Form } from "react-router";
import { adminFilmsPath, adminSetupPath } from "#app/admin-paths.ts";
import { watchPath } from "#app/paths.ts";
import { Link } from "#app/ui/link.tsx";
import { IntentButton } from "../intent-button.tsx";
import { WorkProgress } from "../work-progress.tsx";

export type ScanState = {
  /** A scan is reading the folder, or has read it. */
  hasBegun: boolean;
  text: string;
  /** The numbers on the page still change. */
  isUnderWay: boolean;
  isFailed: boolean;
  toDecide: number;
  /** The first film that plays. */
  film: { malId: number; title: string; episode: number } | null;
};

/** The progress of finding the films, and the first film to watch. */
export const FirstScan = ({ scan: { text, isUnderWay, isFailed, toDecide, film } }: { scan: ScanState }) => (
  <section aria-labelledby="scan">
    <h2 id="scan">Your videos</h2>
    <p className={isFailed ? "admin-warning" : "lead"} role="status">
      {text}
    </p>
    {isUnderWay && (
      <WorkProgress label="The folder is being scanned" to={adminSetupPath()} lookEveryMs={2000} />
    )}
    {film !== null && (
      <p>
        <Link className="button" data-kind="primary" to={watchPath(film.malId, film.episode)}>
          Watch {film.title}, episode {film.episode}
        </Link>
      </p>
    )}
    {toDecide > 0 && (
      <p>
        {toDecide === 1
          ? "1 video needs you to say what it is: "
          : `${toDecide.toLocaleString("en")} videos need you to say what they are: `}
        <Link className="link" to={adminFilmsPath()}>
          Media folder
        </Link>
        . A larger catalog knows more of them.
      </p>
    )}
    {!isUnderWay && (
      <Form method="post" preventScrollReset>
        <IntentButton intent="scan" label="Scan again" />
      </Form>
    )}
  </section>
);

import { Form } from "react-router";
import { adminSetupPath } from "#app/admin-paths.ts";
import { Link } from "#app/ui/link.tsx";
import type { CardTitle } from "#app/ui/titles/card.tsx";
import { Poster } from "#app/ui/titles/poster.tsx";
import { IntentButton } from "../intent-button.tsx";
import { WorkProgress } from "../work-progress.tsx";

export type ScanState = {
  text: string;
  /** The numbers on the page still change. */
  isUnderWay: boolean;
  isFailed: boolean;
  /** The first film that plays. */
  film: { malId: number; title: string; drawnIn?: "en"; episode: number } | null;
};

type ProgressProps = { scan: ScanState; step: "found" | "watch" };

export const ScanProgress = ({ scan: { text, isUnderWay, isFailed }, step }: ProgressProps) => (
  <>
    <p className={isFailed ? "admin-warning" : "lead"} role="status">
      {text}
    </p>
    {isUnderWay && <WorkProgress label="The folder is being scanned" to={adminSetupPath({ step })} />}
  </>
);

export const NoFolder = () => (
  <p className="lead">
    There is no media folder yet, so no videos were found.{" "}
    <Link className="link" to={adminSetupPath()}>
      Choose the media folder
    </Link>
  </p>
);

type Props = {
  scan: ScanState;
  titles: readonly Pick<CardTitle, "malId" | "path" | "name" | "lang" | "drawnIn">[];
};

/** The progress of the scan, and the posters of the titles that it has found. */
export const FirstScan = ({ scan, titles }: Props) => (
  <section aria-label="Scan">
    <ScanProgress scan={scan} step="found" />
    {titles.length > 0 && (
      <ul className="setup-posters">
        {titles.map(({ malId, path, name, lang, drawnIn }) => (
          <li key={malId}>
            <Link to={path}>
              <Poster malId={malId} drawnIn={drawnIn} sizes="120px" />
              <span lang={lang}>{name}</span>
            </Link>
          </li>
        ))}
      </ul>
    )}
    {!scan.isUnderWay && (
      <Form method="post" preventScrollReset>
        <IntentButton intent="scan" label="Scan again" />
      </Form>
    )}
  </section>
);

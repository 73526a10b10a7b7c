import { Form } from "react-router";
import { adminFilmsPath } from "#app/admin-paths.ts";
import { countText } from "#app/platform/count-text.ts";
import { AdminTable, StackedCell, StackedRow } from "../admin-page.tsx";
import { IntentButton } from "../intent-button.tsx";
import { WorkProgress } from "../work-progress.tsx";

/** The last scans, and the button that begins or stops one. */

type Props = {
  /** A scan begins within seconds. */
  isQueued: boolean;
  /** Videos whose files are still being copied are added later, and the page shows it then. */
  hasWaiting: boolean;
  scans: readonly {
    time: string;
    ago: string;
    why: string;
    folder: string;
    text: string;
    isUnderWay: boolean;
    isFailed: boolean;
    problems: readonly string[];
  }[];
};

export function Scans({ scans, isQueued, hasWaiting }: Props) {
  const isUnderWay = scans.some((scan) => scan.isUnderWay);
  return (
    <section aria-labelledby="scans">
      <h2 id="scans">Scans</h2>
      <Form method="post" preventScrollReset className="admin-buttons">
        {isUnderWay ? (
          <IntentButton intent="stop" label="Stop the scan" />
        ) : (
          <IntentButton intent="scan" label="Scan now" />
        )}
      </Form>
      {(isUnderWay || isQueued || hasWaiting) && (
        <WorkProgress
          label={isUnderWay || isQueued ? "The folder is being scanned" : "Waiting for whole files"}
          to={adminFilmsPath()}
        />
      )}
      {scans.length === 0 && <p className="quiet">No scan has begun yet.</p>}
      {scans.length > 0 && (
        <AdminTable isStacked label="Scans" columns={["Begun", "Reason", "Folder", "Result"]}>
          {scans.map((scan) => (
            <ScanRow key={scan.time} scan={scan} />
          ))}
        </AdminTable>
      )}
    </section>
  );
}

const ScanRow = ({ scan }: { scan: Props["scans"][number] }) => (
  <StackedRow>
    <StackedCell>
      <time dateTime={scan.time}>{scan.ago}</time>
    </StackedCell>
    <StackedCell>{scan.why}</StackedCell>
    <StackedCell className="admin-address" data-heading="Folder">
      {scan.folder === "" ? "all" : <bdi>{scan.folder}</bdi>}
    </StackedCell>
    <StackedCell className={scan.isFailed ? "admin-warning" : undefined}>
      {scan.text}
      {scan.problems.length > 0 && (
        <details>
          <summary>This scan noted {countText(scan.problems.length, "problem")}</summary>
          <ul>
            {scan.problems.map((problem) => (
              <li key={problem}>
                <bdi className="admin-address">{problem}</bdi>
              </li>
            ))}
          </ul>
        </details>
      )}
    </StackedCell>
  </StackedRow>
);

import { Form } from "react-router";
import { IntentButton } from "../intent-button.tsx";

/** The last scans, and the button that begins or stops one. */

type Props = {
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

export function Scans({ scans }: Props) {
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
      {scans.length === 0 && <p className="quiet">No scan has begun yet.</p>}
      <ul>
        {scans.map(({ time, ago, why, folder, text, isFailed, problems }) => (
          <li key={time}>
            <time dateTime={time}>{ago}</time>, because {why}
            {folder !== "" && (
              <>
                {" "}
                (<bdi className="admin-address">{folder}</bdi>)
              </>
            )}
            : <span className={isFailed ? "admin-warning" : undefined}>{text}</span>
            {problems.length > 0 && (
              <details>
                <summary>{problems.length} could not be read</summary>
                <ul>
                  {problems.map((problem) => (
                    <li key={problem}>
                      <bdi className="admin-address">{problem}</bdi>
                    </li>
                  ))}
                </ul>
              </details>
            )}
          </li>
        ))}
      </ul>
    </section>
  );
}

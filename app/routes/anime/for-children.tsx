import { Form } from "react-router";
import { householdTitlesPath } from "#app/paths.ts";

export type ForChildrenView = { malId: number; verdict: "allowed" | "blocked" | null; path: string };

const texts = {
  allowed: "The children of your household see this title, whatever its rating is.",
  blocked: "The children of your household never see this title.",
  none: "The ceiling of each child's profile decides whether it sees this title.",
};

/** The owner of a household with a child allows or blocks the title. */
export function ForChildren({ malId, verdict, path }: ForChildrenView) {
  const choices = [
    ["allowed", "Allow"],
    ["blocked", "Block"],
    ["none", "Let the ceiling decide"],
  ] as const;
  return (
    <details className="title-hide">
      <summary className="button" data-kind="ghost" data-size="small">
        For your children{verdict !== null && `: ${verdict}`}
      </summary>
      <p>{texts[verdict ?? "none"]}</p>
      <Form method="post" action={householdTitlesPath()} className="stack">
        <input type="hidden" name="id" value={malId} />
        <input type="hidden" name="redirectTo" value={path} />
        <label className="check">
          <input type="checkbox" name="franchise" value="1" />
          Also its sequels, side stories and other versions
        </label>
        <p className="message-actions">
          {choices
            .filter(([value]) => value !== (verdict ?? "none"))
            .map(([value, label]) => (
              <button
                className="button"
                data-size="small"
                type="submit"
                name="verdict"
                value={value}
                key={value}
              >
                {label}
              </button>
            ))}
        </p>
      </Form>
    </details>
  );
}

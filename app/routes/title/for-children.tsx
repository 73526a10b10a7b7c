import { ChildrenChoice, type Verdict } from "#app/ui/titles/children-choice.tsx";

type ForChildrenView = { malId: number; verdict: Verdict; children: readonly string[]; path: string };

const texts = {
  allowed: "The children of your household see this title, whatever its rating is.",
  blocked: "The children of your household never see this title.",
  none: "A child sees this title only if the age limit of its profile allows it. A child for whom you choose all titles does not see it.",
};

/** The owner of a household with a child allows or blocks the title. */
export function ForChildren({ malId, verdict, children, path }: ForChildrenView) {
  return (
    <details className="title-children">
      <summary className="button" data-kind="ghost" data-size="small">
        {`For your children (${children.join(", ")})${verdict === null ? "" : `: ${verdict}`}`}
      </summary>
      <p>{texts[verdict ?? "none"]}</p>
      <ChildrenChoice malId={malId} verdict={verdict} path={path} />
    </details>
  );
}

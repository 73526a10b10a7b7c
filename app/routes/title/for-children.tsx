import { ChildrenChoice, type Verdict } from "#app/ui/titles/children-choice.tsx";

type Child = {
  name: string;
  /** The owner chooses each title that this child sees. */
  isChosen: boolean;
};
type ForChildrenView = { malId: number; verdict: Verdict; children: readonly Child[]; path: string };

const lists = new Intl.ListFormat("en", { type: "conjunction" });
const listNames = (children: readonly Child[]) => lists.format(children.map(({ name }) => name));

/** Says for each child whether it sees the title. */
function textOf(verdict: Verdict, children: readonly Child[]): string {
  if (verdict === "allowed") return "The children of your household see this title, whatever its rating is.";
  if (verdict === "blocked") return "The children of your household never see this title.";
  const chosen = children.filter(({ isChosen }) => isChosen);
  const rated = children.filter(({ isChosen }) => !isChosen);
  return [
    rated.length > 0 && `${listNames(rated)}: only if the age limit of the profile allows this title.`,
    chosen.length > 0 && `${listNames(chosen)}: not until you allow it.`,
  ]
    .filter(Boolean)
    .join(" ");
}

/** The owner of a household with a child allows or blocks the title. */
export function ForChildren({ malId, verdict, children, path }: ForChildrenView) {
  return (
    <details className="title-children">
      <summary className="button" data-kind="ghost" data-size="small">
        {`For your children (${children.map(({ name }) => name).join(", ")})${verdict === null ? "" : `: ${verdict}`}`}
      </summary>
      <p>{textOf(verdict, children)}</p>
      <ChildrenChoice malId={malId} verdict={verdict} path={path} />
    </details>
  );
}

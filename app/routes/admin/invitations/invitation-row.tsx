import { StackedCell, StackedRow } from "../admin-page.tsx";
import { RowButton } from "../intent-button.tsx";

type Invitation = {
  id: string;
  note: string;
  madeOn: string;
  madeBy: string | null;
  endsOn: string;
  uses: number;
  maxUses: number;
  usedBy: readonly string[];
  state: string;
};

export function InvitationRow({ invitation }: { invitation: Invitation }) {
  const { id, note, madeOn, madeBy, endsOn, uses, maxUses, usedBy, state } = invitation;
  return (
    <StackedRow>
      <StackedCell className="admin-address">{note || "–"}</StackedCell>
      <StackedCell data-heading="Made">{madeOn}</StackedCell>
      <StackedCell data-heading="By">{madeBy ?? "–"}</StackedCell>
      <StackedCell data-heading="Ends">{endsOn}</StackedCell>
      <StackedCell className="numeric" data-heading="Used">
        {uses} of {maxUses}
      </StackedCell>
      <StackedCell className="admin-address" data-heading="Who came">
        {usedBy.join(", ") || "–"}
      </StackedCell>
      <StackedCell data-heading="State">{state}</StackedCell>
      <StackedCell>
        {state === "open" && (
          <RowButton
            fields={{ id }}
            intent="revoke"
            label="Revoke"
            about={note || `the invitation of ${madeOn}`}
          />
        )}
      </StackedCell>
    </StackedRow>
  );
}

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
    <tr>
      <td className="admin-address">{note || "–"}</td>
      <td>{madeOn}</td>
      <td>{madeBy ?? "–"}</td>
      <td>{endsOn}</td>
      <td className="numeric">
        {uses} of {maxUses}
      </td>
      <td className="admin-address">{usedBy.join(", ") || "–"}</td>
      <td>{state}</td>
      <td>
        {state === "open" && (
          <RowButton
            fields={{ id }}
            intent="revoke"
            label="Revoke"
            about={note || `the invitation of ${madeOn}`}
          />
        )}
      </td>
    </tr>
  );
}

import { Form } from "react-router";
import { AdminField } from "../admin-page.tsx";

type Props = { ordinary: { maxUses: number; lifetimeDays: number } };

export const NewInvitationForm = ({ ordinary }: Props) => (
  <Form method="post" className="admin-line">
    <input type="hidden" name="intent" value="make" />
    <AdminField label="Note, such as whom it is for" name="note" isOptional />
    <AdminField label="People" name="uses" type="number" value={ordinary.maxUses} />
    <AdminField label="Days" name="days" type="number" value={ordinary.lifetimeDays} />
    <button className="button" data-kind="primary" type="submit">
      Make an invitation
    </button>
  </Form>
);

import { z } from "zod";
import { operatorOf } from "#app/access/actor.server.ts";
import { operatorPage } from "#app/access/guards/guard.server.ts";
import { limitedWrites } from "#app/access/limits.server.ts";
import { getVisit } from "#app/access/viewer.server.ts";
import { adminSetupPath } from "#app/admin-paths.ts";
import {
  createInvitation,
  getSignUpState,
  listInvitations,
  maxInvitationDays,
  maxInvitationNoteLength,
  maxInvitationUses,
  ordinaryInvitation,
  revokeInvitation,
} from "#app/domain/joining/joining.server.ts";
import { cacheHeaders, noStore } from "#app/http/cache-policy.server.ts";
import { clientContext } from "#app/http/context.server.ts";
import { formErrorResponse, readPageForm } from "#app/http/forms/form.server.ts";
import { sameOriginPage } from "#app/http/guards/same-origin.server.ts";
import { invitationPath } from "#app/paths.ts";
import { isLoopbackHost } from "#app/platform/upstream/local-mode.ts";
import { dayOfText } from "#app/routes/views/date-format.server.ts";
import { qrCode } from "#app/routes/views/qr-code.server.ts";
import { QrPicture } from "#app/ui/qr-picture.tsx";
import { htmlMeta } from "#app/ui/shell/page-meta.ts";
import type { Route } from "./+types/invitations";
import { AddForm } from "./add-form.tsx";
import { AdminField, AdminPage, AdminTable, ButtonLine, StackedCell, StackedRow } from "./admin-page.tsx";
import { RowButton } from "./intent-button.tsx";

export const middleware: Route.MiddlewareFunction[] = [limitedWrites("user"), sameOriginPage, operatorPage];
export const headers = () => cacheHeaders(noStore);
export const meta: Route.MetaFunction = ({ matches }) =>
  htmlMeta(matches, { title: "Invitations", description: "Who may make an account here." });

export async function loader({ request, context }: Route.LoaderArgs) {
  const [listed, { mode, warning }, { timeZone }] = await Promise.all([
    listInvitations(),
    getSignUpState(),
    getVisit(request, context),
  ]);
  const now = new Date();
  return {
    mode,
    warning,
    ordinary: ordinaryInvitation,
    limits: { uses: maxInvitationUses, days: maxInvitationDays },
    invitations: listed.map(({ createdAt, expiresAt, isRevoked, ...one }) => ({
      ...one,
      madeOn: dayOfText(createdAt, timeZone),
      endsOn: dayOfText(expiresAt, timeZone),
      state: isRevoked ? "revoked" : one.uses >= one.maxUses ? "used" : expiresAt <= now ? "expired" : "open",
    })),
  };
}

const change = z.discriminatedUnion("intent", [
  z.object({
    intent: z.literal("make"),
    note: z.string().trim().max(maxInvitationNoteLength),
    uses: z.coerce.number().int().min(1).max(maxInvitationUses),
    days: z.coerce.number().int().min(1).max(maxInvitationDays),
  }),
  z.object({ intent: z.literal("revoke"), id: z.uuid() }),
]);

export async function action({ request, context }: Route.ActionArgs) {
  const form = await readPageForm(change, request);
  if (!form.ok) return formErrorResponse(form);
  if (form.value.intent === "revoke") {
    const revoked = await revokeInvitation(form.value.id, operatorOf(context));
    return revoked.ok ? { notice: "Nobody can sign up with it any more." } : formErrorResponse(revoked);
  }
  const { intent, note, uses, days } = form.value;
  const made = await createInvitation({ note, maxUses: uses, lifetimeDays: days }, operatorOf(context));
  if (!made.ok) return formErrorResponse(made);
  const link = context.get(clientContext).origin + invitationPath(made.value.secret);
  // A phone would look for the site on itself.
  if (isLoopbackHost(new URL(link).hostname)) return { intent, notice: onlyHereText, link, qr: null };
  const notice =
    "Send this link in private, or let somebody read the code with a phone. It is shown only now:";
  return { intent, notice, link, qr: qrCode(link) };
}

const onlyHereText =
  "Only this machine can open this link, which is shown only now. To invite people at other devices, start the site with HOST=0.0.0.0, open it by the address of this machine, and make another invitation.";

const modeTexts = {
  "open-here": "Anybody at this machine can make an account. From other machines, people need an invitation.",
  open: "Anybody can make an account, with or without an invitation.",
  invite: "People make an account with an invitation.",
  code: "People make an account with the sign-up code or with an invitation.",
  closed: "Nobody can make an account at the moment, even with an invitation.",
};

export default function Invitations({
  loaderData: { mode, warning, ordinary, limits, invitations },
  actionData,
}: Route.ComponentProps) {
  return (
    <AdminPage title="Invitations" lead={modeTexts[mode]} answer={actionData}>
      {actionData && "qr" in actionData && actionData.qr && (
        <QrPicture {...actionData.qr} label="QR code of the invitation" />
      )}
      {mode === "closed" && (
        <ButtonLine to={adminSetupPath({ step: "people" })}>Change who may join</ButtonLine>
      )}
      {warning && <p className="admin-warning">{warning}.</p>}
      <AddForm intent="make" answer={actionData}>
        <input type="hidden" name="intent" value="make" />
        <AdminField label="Note, such as whom it is for" name="note" isOptional />
        <AdminField label="People" name="uses" type="number" value={ordinary.maxUses} max={limits.uses} />
        <AdminField label="Days" name="days" type="number" value={ordinary.lifetimeDays} max={limits.days} />
        <button className="button" data-kind="primary" type="submit">
          Make an invitation
        </button>
      </AddForm>
      {invitations.length === 0 ? (
        <p className="lead">There is no invitation.</p>
      ) : (
        <AdminTable
          isStacked
          label="Invitations"
          columns={["Note", "Made", "By", "Ends", "Used", "Who came", "State", "Change"]}
        >
          {invitations.map((invitation) => (
            <InvitationRow key={invitation.id} invitation={invitation} />
          ))}
        </AdminTable>
      )}
    </AdminPage>
  );
}

type Invitation = Route.ComponentProps["loaderData"]["invitations"][number];

function InvitationRow({ invitation }: { invitation: Invitation }) {
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

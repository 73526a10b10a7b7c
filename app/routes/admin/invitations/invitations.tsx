import { z } from "zod";
import { operatorOf } from "#app/access/actor.server.ts";
import { limited } from "#app/access/limits.server.ts";
import { adminSetupPath } from "#app/admin-paths.ts";
import {
  createInvitation,
  findSignUpState,
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
import { operatorPage } from "#app/http/guards/guard.server.ts";
import { sameOriginPage } from "#app/http/guards/same-origin.server.ts";
import { invitationPath } from "#app/paths.ts";
import { isLoopbackHost } from "#app/platform/upstream/local-mode.ts";
import { dateText } from "#app/routes/views/date-format.server.ts";
import { qrCode } from "#app/routes/views/qr-code.server.ts";
import { Link } from "#app/ui/link.tsx";
import { QrPicture } from "#app/ui/qr-picture.tsx";
import { htmlMeta } from "#app/ui/shell/page-meta.ts";
import { AdminPage, AdminTable } from "../admin-page.tsx";
import type { Route } from "./+types/invitations";
import { InvitationRow } from "./invitation-row.tsx";
import { NewInvitationForm } from "./new-invitation-form.tsx";

export const middleware: Route.MiddlewareFunction[] = [
  limited("user", { on: "writes" }),
  sameOriginPage,
  operatorPage,
];
export const headers = () => cacheHeaders(noStore);
export const meta: Route.MetaFunction = ({ matches }) =>
  htmlMeta(matches, { title: "Invitations", description: "Who may make an account here." });

export async function loader() {
  const [listed, { mode, warning }] = await Promise.all([listInvitations(), findSignUpState()]);
  const now = new Date();
  return {
    mode,
    warning,
    ordinary: ordinaryInvitation,
    invitations: listed.map(({ createdAt, expiresAt, isRevoked, ...one }) => ({
      ...one,
      madeOn: dateText(createdAt),
      endsOn: dateText(expiresAt),
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
  const { note, uses, days } = form.value;
  const made = await createInvitation({ note, maxUses: uses, lifetimeDays: days }, operatorOf(context));
  if (!made.ok) return formErrorResponse(made);
  const link = context.get(clientContext).origin + invitationPath(made.value.secret);
  // A phone would look for the site on itself.
  if (isLoopbackHost(new URL(link).hostname)) return { notice: onlyHereText, link, qr: null };
  const notice =
    "Send this link in private, or let somebody read the code with a phone. It is shown only now:";
  return { notice, link, qr: qrCode(link) };
}

const onlyHereText =
  "Only this machine can open this link, which is shown only now. To invite people at other devices, start the site with HOST=0.0.0.0, open it by the address of this machine, and make another invitation.";

const modeTexts = {
  open: "Anybody can make an account, with or without an invitation.",
  invite: "People make an account with an invitation.",
  code: "People make an account with the sign-up code or with an invitation.",
  closed: "Nobody can make an account at the moment, even with an invitation.",
};

export default function Invitations({
  loaderData: { mode, warning, ordinary, invitations },
  actionData,
}: Route.ComponentProps) {
  return (
    <AdminPage title="Invitations" lead={modeTexts[mode]} answer={actionData}>
      {actionData && "qr" in actionData && actionData.qr && (
        <QrPicture {...actionData.qr} label="QR code of the invitation" />
      )}
      {mode === "closed" && (
        <p>
          <Link className="button" to={adminSetupPath({ step: "people" })}>
            Change who may join
          </Link>
        </p>
      )}
      {warning && <p className="admin-warning">{warning}.</p>}
      <NewInvitationForm ordinary={ordinary} />
      <section aria-label="Invitations">
        {invitations.length === 0 ? (
          <p className="lead">You have made no invitation yet.</p>
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
      </section>
    </AdminPage>
  );
}

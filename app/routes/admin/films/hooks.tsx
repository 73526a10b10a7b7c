import { z } from "zod";
import { operatorOf } from "#app/access/actor.server.ts";
import { operatorPage } from "#app/access/guards/guard.server.ts";
import { limitedWrites } from "#app/access/limits.server.ts";
import { getVisit } from "#app/access/viewer.server.ts";
import { listHookSecrets, makeHookSecret, revokeHookSecret } from "#app/domain/scanning/scanning.server.ts";
import { cacheHeaders, noStore } from "#app/http/cache-policy.server.ts";
import { clientContext } from "#app/http/context.server.ts";
import { formErrorResponse, readPageForm } from "#app/http/forms/form.server.ts";
import { sameOriginPage } from "#app/http/guards/same-origin.server.ts";
import { hookPath } from "#app/paths.ts";
import { dayOfText, timeAgoText } from "#app/routes/views/date-format.server.ts";
import { htmlMeta } from "#app/ui/shell/page-meta.ts";
import { AddForm } from "../add-form.tsx";
import { AdminField, AdminPage, AdminTable, StackedCell, StackedRow } from "../admin-page.tsx";
import { IntentButton, RowButton } from "../intent-button.tsx";
import type { Route } from "./+types/hooks";

/** The secrets that other programs use to report new films. */

export const middleware: Route.MiddlewareFunction[] = [limitedWrites("user"), sameOriginPage, operatorPage];
export const headers = () => cacheHeaders(noStore);
export const meta: Route.MetaFunction = ({ matches }) =>
  htmlMeta(matches, { title: "Programs", description: "Programs that report new videos." });

const ofManager =
  "A connection of the kind Webhook, for On File Import, On Rename and the On … Delete events";
const programs = [
  ["sonarr", "Sonarr", ofManager],
  ["radarr", "Radarr", ofManager],
  ["scan", "Any other", '{"path": "…"}, the file or folder that came'],
] as const;

export async function loader({ request, context }: Route.LoaderArgs) {
  const now = new Date();
  const [secrets, { timeZone }] = await Promise.all([listHookSecrets(), getVisit(request, context)]);
  const { origin } = context.get(clientContext);
  return {
    addresses: programs.map(([program, name, says]) => ({ name, address: origin + hookPath(program), says })),
    secrets: secrets.map(({ id, name, madeAt, usedAt }) => ({
      id,
      name,
      made: dayOfText(madeAt, timeZone),
      used: usedAt === null ? "never" : timeAgoText(usedAt, now),
    })),
  };
}

const change = z.discriminatedUnion("intent", [
  z.object({ intent: z.literal("make"), name: z.string() }),
  z.object({ intent: z.literal("revoke"), id: z.string().max(40) }),
]);

export async function action({ request, context }: Route.ActionArgs) {
  const form = await readPageForm(change, request);
  if (!form.ok) return formErrorResponse(form);
  if (form.value.intent === "revoke") {
    const revoked = await revokeHookSecret(form.value.id, operatorOf(context));
    return revoked.ok
      ? { notice: "The program that has it is refused from now on." }
      : formErrorResponse(revoked);
  }
  const made = await makeHookSecret(form.value.name, operatorOf(context));
  if (!made.ok) return formErrorResponse(made);
  return {
    intent: form.value.intent,
    notice: "Enter this as the password of the program. It is shown only now:",
    link: made.value.secret,
  };
}

export default function Hooks({ loaderData: { addresses, secrets }, actionData }: Route.ComponentProps) {
  return (
    <AdminPage
      title="Programs"
      lead="Sonarr, Radarr and other programs can report new videos, so that the site adds them at once."
      answer={actionData}
    >
      <AdminTable isStacked label="Addresses" columns={["Program", "Address", "What it sends"]}>
        {addresses.map(({ name, address, says }) => (
          <StackedRow key={name}>
            <StackedCell>{name}</StackedCell>
            <StackedCell className="admin-address">
              <code className="settings-token">{address}</code>
            </StackedCell>
            <StackedCell>{says}</StackedCell>
          </StackedRow>
        ))}
      </AdminTable>
      <p>
        Make a secret below and enter it in the program as the password, with any user name. A program without
        a field for a password gets the address with the secret at its end: <code>…/sonarr/SECRET</code>.
      </p>
      <AddForm intent="make" answer={actionData}>
        <AdminField label="Name of the program" name="name" />
        <IntentButton intent="make" label="Make a secret" />
      </AddForm>
      {secrets.length > 0 && (
        <AdminTable label="Secrets" columns={["Program", "Made", "Used", "Change"]}>
          {secrets.map(({ id, name, made, used }) => (
            <tr key={id}>
              <td>{name}</td>
              <td>{made}</td>
              <td>{used}</td>
              <td>
                <RowButton fields={{ id }} intent="revoke" label="Revoke" about={name} />
              </td>
            </tr>
          ))}
        </AdminTable>
      )}
    </AdminPage>
  );
}

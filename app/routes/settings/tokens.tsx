import { redirect } from "react-router";
import { z } from "zod";
import { memberOf } from "#app/access/actor.server.ts";
import { getCurrentSession, grownUpPage } from "#app/access/guards/guard.server.ts";
import { limitedWrites } from "#app/access/limits.server.ts";
import { createAccessToken, deleteAccessToken } from "#app/domain/sign-in/sign-in.server.ts";
import { formErrorResponse, readPageForm } from "#app/http/forms/form.server.ts";
import { sameOriginPage } from "#app/http/guards/same-origin.server.ts";
import { settingsPath, signInPath } from "#app/paths.ts";
import { CopyField } from "#app/ui/forms/copy-field.tsx";
import type { Route } from "./+types/tokens";
import { FormRefusal } from "./form-refusal.tsx";

export const middleware: Route.MiddlewareFunction[] = [limitedWrites("user"), sameOriginPage, grownUpPage];

const change = z.union([
  z.object({ id: z.uuid() }),
  z.object({ name: z.string().trim().min(1).max(100), scope: z.enum(["read", "write"]) }),
]);

export async function action({ request, context }: Route.ActionArgs) {
  const form = await readPageForm(change, request);
  if (!form.ok) return formErrorResponse(form);
  const session = getCurrentSession(context);
  if ("id" in form.value) {
    await deleteAccessToken(session.user, form.value.id, memberOf(context));
    throw redirect(`${settingsPath({ notice: "token-revoked" })}#tokens`);
  }
  const created = await createAccessToken(session, form.value, memberOf(context));
  if (!created.ok && created.reason === "unauthorized")
    throw redirect(signInPath({ redirectTo: settingsPath() }));
  return created.ok ? { token: created.value.token } : formErrorResponse(created);
}

/** The only answer that holds a new token: the database stores its hash, and no address contains it. */
export default function TokenAnswer({ actionData }: Route.ComponentProps) {
  if (actionData === undefined || "message" in actionData) return <FormRefusal actionData={actionData} />;
  return (
    <div className="form-notice" role="status">
      <div>
        This is your new token. Copy it now, because this page shows it only once:
        <CopyField key={actionData.token} label="New token" text={actionData.token} />
      </div>
    </div>
  );
}

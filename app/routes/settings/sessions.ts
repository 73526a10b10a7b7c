import { redirect } from "react-router";
import { z } from "zod";
import { memberOf } from "#app/access/actor.server.ts";
import { getCurrentSession, ownerPage } from "#app/access/guards/guard.server.ts";
import { limitedWrites } from "#app/access/limits.server.ts";
import { deleteOtherSessions, deleteSessionById } from "#app/domain/accounts/accounts.server.ts";
import { formErrorResponse, readPageForm } from "#app/http/forms/form.server.ts";
import { sameOriginPage } from "#app/http/guards/same-origin.server.ts";
import { settingsPath } from "#app/paths.ts";
import type { Route } from "./+types/sessions";
import { FormRefusal } from "./form-refusal.tsx";

export const middleware: Route.MiddlewareFunction[] = [limitedWrites("user"), sameOriginPage, ownerPage];

const ended = z.union([z.object({ id: z.uuid() }), z.object({ others: z.literal("true") })]);

export async function action({ request, context }: Route.ActionArgs) {
  const form = await readPageForm(ended, request);
  if (!form.ok) return formErrorResponse(form);
  const { id: current, user } = getCurrentSession(context);
  if ("id" in form.value) {
    await deleteSessionById(user.id, form.value.id, memberOf(context));
    throw redirect(`${settingsPath({ notice: "session-ended" })}#sessions`);
  }
  await deleteOtherSessions(user.id, current, memberOf(context));
  throw redirect(`${settingsPath({ notice: "sessions-ended" })}#sessions`);
}

export default FormRefusal;

import { redirect } from "react-router";
import { z } from "zod";
import { memberOf } from "#app/access/actor.server.ts";
import { getCurrentSession, memberFormError, ownerPage } from "#app/access/guards/guard.server.ts";
import { limitedWrites } from "#app/access/limits.server.ts";
import { signedOutHeaders } from "#app/access/session-headers.server.ts";
import { deleteUnusedPicturesOnce } from "#app/domain/images/images.server.ts";
import { deleteOwnAccount } from "#app/domain/sign-in/sign-in.server.ts";
import { formErrorResponse, readPageForm } from "#app/http/forms/form.server.ts";
import { sameOriginPage } from "#app/http/guards/same-origin.server.ts";
import { homePath } from "#app/paths.ts";
import { inBackground } from "#app/platform/log.server.ts";
import { credentialInput } from "#app/wire/credentials.ts";
import type { Route } from "./+types/account";
import { FormRefusal } from "./form-refusal.tsx";

/** Deletes the account of the member who posts here. */
export const middleware: Route.MiddlewareFunction[] = [limitedWrites("deletion"), sameOriginPage, ownerPage];
export const headers = ({ actionHeaders }: Route.HeadersArgs) => actionHeaders;

const proof = z.object({ password: credentialInput.optional() });

export async function action({ request, context, url }: Route.ActionArgs) {
  const form = await readPageForm(proof, request);
  if (!form.ok) return formErrorResponse(form);
  const typed = { ...form.value, actor: memberOf(context) };
  const deleted = await deleteOwnAccount(getCurrentSession(context), typed);
  if (!deleted.ok) return memberFormError(deleted, url);
  inBackground("deleting unused pictures", deleteUnusedPicturesOnce());
  throw redirect(homePath(), { headers: await signedOutHeaders(request, context) });
}

export default FormRefusal;

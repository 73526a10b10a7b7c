import { z } from "zod";
import { signedInObject, signedInResponse } from "#app/access/answer-sign-in.server.ts";
import { limited } from "#app/access/limits.server.ts";
import { clientDeviceOf } from "#app/access/session-headers.server.ts";
import { signIn } from "#app/domain/sign-in/sign-in.server.ts";
import { clientContext } from "#app/http/context.server.ts";
import { operation, serve } from "#app/http/endpoint/operation.server.ts";
import { redirectFailedFormsTo } from "#app/http/forms/form-return.server.ts";
import { safeRedirectTarget } from "#app/http/forms/redirect-target.ts";
import { sameOrigin } from "#app/http/guards/same-origin.server.ts";
import { profilesPath, signInPath } from "#app/paths.ts";
import { credentialInput } from "#app/wire/credentials.ts";

export const middleware = [limited("signin"), sameOrigin, redirectFailedFormsTo(signInPath())];

const create = operation("POST", {
  tag: "Accounts",
  summary: "Sign in with e-mail address and password",
  description:
    "A wrong e-mail address or password is a 401. A form post redirects to `redirectTo` if that is a path of this site.",
  body: z.object({ email: credentialInput, password: credentialInput, redirectTo: z.string().optional() }),
  forms: true,
  answer: signedInObject,
  headers: ["Set-Cookie"],
  refuses: ["unauthorized", "overloaded"],
  handle: async ({ body, request, context }) => {
    const signedIn = await signIn(body, clientDeviceOf(request, context));
    if (!signedIn.ok) return signedIn;
    const target = safeRedirectTarget(body.redirectTo, context.get(clientContext).origin);
    const { isOneOfSeveral } = signedIn.value;
    const formTarget = isOneOfSeveral ? profilesPath({ redirectTo: target }) : target;
    return signedInResponse(signedIn.value, { request, context, formTarget });
  },
});

export const loader = serve(create);
export const action = loader;

import { z } from "zod";
import { signedInObject, signedInResponse, signUpPassOf } from "#app/access/answer-sign-in.server.ts";
import { notForChildren } from "#app/access/guards/guard.server.ts";
import { limited } from "#app/access/limits.server.ts";
import { clientDeviceOf } from "#app/access/session-headers.server.ts";
import { visitorPreferencesOfRequest } from "#app/access/viewer.server.ts";
import { openAccount } from "#app/domain/sign-in/sign-in.server.ts";
import { operation, serve } from "#app/http/endpoint/operation.server.ts";
import { redirectFailedFormsTo } from "#app/http/forms/form-return.server.ts";
import { sameOrigin } from "#app/http/guards/same-origin.server.ts";
import { signUpPath, signUpProfilePath } from "#app/paths.ts";
import { isPlainObject } from "#app/platform/plain-object.ts";
import { credentialInput, newEmailInput, newPasswordInput, newUsernameInput } from "#app/wire/credentials.ts";
import { firstAliasIn, inputAliases, withAliases } from "#app/wire/input-aliases.server.ts";

export const middleware = [
  limited("signup"),
  sameOrigin,
  redirectFailedFormsTo(signUpPath()),
  notForChildren,
];

const account = z
  .object({
    ...withAliases(inputAliases.username, newUsernameInput, { isRequired: true }),
    email: newEmailInput,
    password: newPasswordInput,
    code: credentialInput.optional(),
    invitation: credentialInput.optional().describe("The code of an invitation, or its whole link"),
  })
  // `when` makes zod check this even if other fields are wrong, so that one answer lists all issues.
  .refine((body) => firstAliasIn(inputAliases.username, body) !== undefined, {
    path: ["username"],
    message: "is missing",
    when: ({ value }) => isPlainObject(value),
  })
  .transform((body) => ({ ...body, username: firstAliasIn(inputAliases.username, body) ?? "" }));

const create = operation("POST", {
  tag: "Accounts",
  summary: "Sign up with e-mail address and password",
  description:
    "`code` is required with SIGNUPS=code, and `invitation` where people sign up by invitation only; an invitation also stands for the code. A form post redirects to the next step.",
  body: account,
  forms: true,
  status: 201,
  answer: signedInObject,
  headers: ["Set-Cookie"],
  refuses: ["forbidden", "conflict", "overloaded"],
  handle: async ({ body, request, context }) => {
    const visitor = visitorPreferencesOfRequest(request);
    const pass = signUpPassOf(context, body);
    const signedIn = await openAccount(body, pass, clientDeviceOf(request, context), visitor);
    if (!signedIn.ok) return signedIn;
    return signedInResponse(signedIn.value, {
      request,
      context,
      status: 201,
      formTarget: signUpProfilePath(),
    });
  },
});

export const loader = serve(create);
export const action = loader;

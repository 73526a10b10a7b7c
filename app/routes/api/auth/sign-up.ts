import { z } from "zod";
import { signUp } from "#app/domain/accounts/accounts.server.ts";
import { formsReturnTo } from "#app/http/form-return.server.ts";
import { operation, serve } from "#app/http/operation.server.ts";
import { limited } from "#app/http/rate-limit.server.ts";
import { sameOrigin } from "#app/http/same-origin.server.ts";
import { adoptVisitor, answerSignedIn, callerOf, signedInAnswer } from "#app/http/signed-in.server.ts";
import { firstOf, spelled, spellings } from "#app/http/spellings.server.ts";

export const middleware = [limited("signup"), sameOrigin, formsReturnTo("/signup")];

const text = z.string().max(1024);

const account = z
  .object({ ...spelled(spellings.username, text), email: text, password: text, code: text.optional() })
  // Told together with what the other fields lack, not only once they are right.
  .refine((body) => firstOf(spellings.username, body) !== undefined, {
    path: ["username"],
    message: "is missing",
    when: ({ value }) => typeof value === "object" && value !== null && !Array.isArray(value),
  })
  .transform((body) => ({ ...body, username: firstOf(spellings.username, body) ?? "" }));

const create = operation("POST", {
  tag: "Accounts",
  summary: "Sign up with e-mail address and password",
  description: "`code` is asked for when the operator wants one. A form post moves on to the next step.",
  body: account,
  forms: true,
  status: 201,
  answer: signedInAnswer,
  refuses: ["forbidden", "conflict", "overloaded"],
  handle: async ({ body, request, context }) => {
    const signedIn = await signUp(body, callerOf(request, context));
    if (!signedIn.ok) return signedIn;
    await adoptVisitor(signedIn.value, request);
    return answerSignedIn(signedIn.value, { request, context, status: 201, formTarget: "/signup/profile" });
  },
});

export const loader = serve(create);
export const action = loader;

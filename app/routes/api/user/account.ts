import { z } from "zod";
import { deleteAccount, mayDeleteAccount } from "#app/domain/accounts/accounts.server.ts";
import { sweepStoredPictures } from "#app/domain/images/images.server.ts";
import { currentSession, member } from "#app/http/guard.server.ts";
import { message, operation, serve, succeed, success } from "#app/http/operation.server.ts";
import { limited } from "#app/http/rate-limit.server.ts";
import { sameOrigin } from "#app/http/same-origin.server.ts";
import { signedOutHeaders } from "#app/http/signed-in.server.ts";
import { inBackground } from "#app/platform/background.server.ts";

export const middleware = [limited("deletion"), sameOrigin, member];

const remove = operation("DELETE", {
  tag: "Accounts",
  summary: "Delete the account and everything in it",
  description: "With the password, or within ten minutes of signing in.",
  body: z.object({ password: z.string().max(1024).optional() }).optional(),
  answer: success(message),
  refuses: ["forbidden", "overloaded"],
  handle: async ({ body, request, context }) => {
    const { user, signedInAt } = currentSession(context);
    const allowed = await mayDeleteAccount({ userId: user.id, signedInAt, password: body?.password });
    if (!allowed.ok) return allowed;
    await deleteAccount(user.id);
    inBackground("sweeping pictures", sweepStoredPictures());
    const headers = await signedOutHeaders(request, context);
    return Response.json(succeed({ message: "Account deleted" }), { headers });
  },
});

export const loader = serve(remove);
export const action = loader;

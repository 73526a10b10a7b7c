import { z } from "zod";
import { memberOf } from "#app/access/actor.server.ts";
import { getCurrentSession, member, owner } from "#app/access/guards/guard.server.ts";
import { limited } from "#app/access/limits.server.ts";
import { signedOutHeaders } from "#app/access/session-headers.server.ts";
import { deleteUnusedPicturesOnce } from "#app/domain/images/images.server.ts";
import { deleteOwnAccount } from "#app/domain/sign-in/sign-in.server.ts";
import { messageObject, operation, serve, succeed, success } from "#app/http/endpoint/operation.server.ts";
import { sameOrigin } from "#app/http/guards/same-origin.server.ts";
import { inBackground } from "#app/platform/log.server.ts";
import { credentialInput } from "#app/wire/credentials.ts";

export const middleware = [limited("deletion"), sameOrigin, member, owner];

const remove = operation("DELETE", {
  tag: "Accounts",
  summary: "Delete the account and everything in it",
  description: "Needs the password, or a sign-in within the last ten minutes.",
  body: z.object({ password: credentialInput.optional() }).optional(),
  answer: success(messageObject),
  headers: ["Set-Cookie"],
  refuses: ["forbidden", "overloaded"],
  handle: async ({ body, request, context }) => {
    const proof = { password: body?.password, actor: memberOf(context) };
    const deleted = await deleteOwnAccount(getCurrentSession(context), proof);
    if (!deleted.ok) return deleted;
    inBackground("deleting unused pictures", deleteUnusedPicturesOnce());
    const headers = await signedOutHeaders(request, context);
    return Response.json(succeed({ message: "Account deleted" }), { headers });
  },
});

export const loader = serve(remove);
export const action = loader;

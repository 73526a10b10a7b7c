import { z } from "zod";
import { memberOf } from "#app/access/actor.server.ts";
import { getCurrentUser, grownUp, member } from "#app/access/guards/guard.server.ts";
import { limited } from "#app/access/limits.server.ts";
import { recordEvent } from "#app/domain/events/events.server.ts";
import { exportAccount } from "#app/domain/library/library.server.ts";
import { absoluteUrl } from "#app/http/endpoint/absolute-url.server.ts";
import { downloadResponse } from "#app/http/endpoint/long-answers.server.ts";
import { operation, serve } from "#app/http/endpoint/operation.server.ts";
import { sameOrigin } from "#app/http/guards/same-origin.server.ts";

export const middleware = [limited("user"), sameOrigin, member, grownUp];

const download = operation("GET", {
  tag: "Profile",
  summary: "All data of the account, as one file",
  description: "Leaves out passwords, tokens and sessions. Needs a session; an access token is not enough.",
  answer: { bytes: ["application/json"], json: z.looseObject({ format: z.string(), version: z.int() }) },
  headers: ["Content-Disposition"],
  refuses: ["overloaded"],
  handle: ({ request, context }) => {
    const user = getCurrentUser(context);
    return downloadResponse(
      exportAccount(user, (url) => absoluteUrl(context, url)),
      {
        type: "application/json",
        name: "engawa-account.json",
        account: user.accountId,
        onBegin: () =>
          recordEvent({ kind: "account_exported", userId: user.accountId, actor: memberOf(context) }),
        request,
        context,
      },
    );
  },
});

export const loader = serve(download);
export const action = loader;

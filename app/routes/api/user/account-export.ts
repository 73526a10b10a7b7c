import { exportAccount } from "#app/domain/library/library.server.ts";
import { absoluteUrl } from "#app/http/absolute-url.server.ts";
import { answerDownload } from "#app/http/download.server.ts";
import { currentUser, member } from "#app/http/guard.server.ts";
import { operation, serve } from "#app/http/operation.server.ts";
import { sameOrigin } from "#app/http/same-origin.server.ts";

export const middleware = [sameOrigin, member];

const download = operation("GET", {
  tag: "Profile",
  summary: "Everything the user has here, as one file",
  description: "Without passwords, tokens, sessions and the like. Needs a session, never a token.",
  answer: { bytes: ["application/json"] },
  handle: async ({ request, context }) =>
    answerDownload(
      exportAccount(currentUser(context), (address) => absoluteUrl(context, address)),
      { type: "application/json", name: "engawa-account.json", request, context },
    ),
});

export const loader = serve(download);
export const action = loader;

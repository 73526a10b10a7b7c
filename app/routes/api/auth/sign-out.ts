import { redirect } from "react-router";
import { sameOrigin } from "#app/http/access/same-origin.server.ts";
import { signedOutHeaders } from "#app/http/access/signed-in.server.ts";
import { message, operation, serve, succeed, success } from "#app/http/endpoint/operation.server.ts";
import { isFormPost } from "#app/http/endpoint/request-body.server.ts";
import { homePath } from "#app/paths.ts";

export const middleware = [sameOrigin];

const end = operation("POST", {
  tag: "Accounts",
  summary: "End this session",
  description: "Takes no body, needs no session, and may be repeated.",
  answer: success(message),
  headers: ["Set-Cookie"],
  redirectsForms: true,
  optionalSignIn: "session",
  handle: async ({ request, context }) => {
    const headers = await signedOutHeaders(request, context);
    if (isFormPost(request)) return redirect(homePath(), { headers });
    return Response.json(succeed({ message: "Signed out" }), { headers });
  },
});

export const loader = serve(end);
export const action = loader;

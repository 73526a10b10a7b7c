import { z } from "zod";
import { signedInObject, signedInResponse } from "#app/access/answer-sign-in.server.ts";
import { notForChildren } from "#app/access/guards/guard.server.ts";
import { limited } from "#app/access/limits.server.ts";
import { clientDeviceOf } from "#app/access/session-headers.server.ts";
import { refuse } from "#app/domain/errors.ts";
import { deviceAnswers, pollDeviceSignIn } from "#app/domain/sign-in/sign-in.server.ts";
import { operation, serve } from "#app/http/endpoint/operation.server.ts";
import { sameOrigin } from "#app/http/guards/same-origin.server.ts";
import { homePath } from "#app/paths.ts";
import { credentialInput } from "#app/wire/credentials.ts";

export const middleware = [limited("devicePoll"), sameOrigin, notForChildren];

const ask = operation("POST", {
  tag: "Accounts",
  summary: "Ask whether a member has signed this device in",
  description: `Sets the session cookie once a member has confirmed, and acts for that member's profile. Until then 400, whose \`error\` is one of ${deviceAnswers.map((name) => `\`${name}\``).join(", ")} (RFC 8628, section 3.5). After \`slow_down\` wait five seconds longer between questions.`,
  body: z.object({ device_code: credentialInput }),
  forms: true,
  answer: signedInObject,
  headers: ["Set-Cookie"],
  handle: async ({ body, request, context }) => {
    const polled = await pollDeviceSignIn(body.device_code, clientDeviceOf(request, context));
    if (polled.state !== "signed_in") return refuse("invalid", polled.state);
    return signedInResponse(polled.session, { request, context, formTarget: homePath() });
  },
});

export const loader = serve(ask);
export const action = loader;

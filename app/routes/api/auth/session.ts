import { z } from "zod";
import { findSessionOrServerError } from "#app/access/guards/guard.server.ts";
import { absoluteUrl } from "#app/http/endpoint/absolute-url.server.ts";
import { operation, serve, succeed, success } from "#app/http/endpoint/operation.server.ts";
import { unlimited } from "#app/http/guards/rate-limit.server.ts";

export const middleware = [
  unlimited(
    "Front ends ask at each start and are promised 200; it is one query by key, in the turns of its client",
  ),
];

const session = z
  .object({
    user: z.object({
      id: z.string(),
      email: z.string(),
      name: z.string(),
      avatar: z.string().nullable(),
      banner_image: z.string().nullable(),
    }),
    expires_at: z.iso.datetime(),
  })
  .meta({ id: "CurrentSession" });

const check = operation("GET", {
  tag: "Accounts",
  summary: "The signed-in user",
  description: "`data` is null without a session. 500 if the session cannot be looked up.",
  optionalSignIn: "session",
  answer: success(session.nullable()),
  handle: async ({ request, context }) => {
    const currentSession = await findSessionOrServerError(request, context);
    if (!currentSession) return succeed(null);
    const { id, email, name, avatar, bannerImage } = currentSession.user;
    const pictures = {
      avatar: absoluteUrl(context, avatar),
      banner_image: absoluteUrl(context, bannerImage),
    };
    return succeed({
      user: { id, email, name, ...pictures },
      expires_at: currentSession.expiresAt.toISOString(),
    });
  },
});

export const loader = serve(check);
export const action = loader;

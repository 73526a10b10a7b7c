import { z } from "zod";
import { memberOf } from "#app/access/actor.server.ts";
import { switchedHeaders } from "#app/access/answer-sign-in.server.ts";
import { getCurrentSession, member } from "#app/access/guards/guard.server.ts";
import { limited } from "#app/access/limits.server.ts";
import { refuse } from "#app/domain/errors.ts";
import { findProfile, switchProfile } from "#app/domain/household/household.server.ts";
import { operation, serve, succeed, success } from "#app/http/endpoint/operation.server.ts";
import { sameOrigin } from "#app/http/guards/same-origin.server.ts";
import { credentialInput } from "#app/wire/credentials.ts";
import { householdProfileObject, householdProfileOnWire } from "./listed-profile.server.ts";

export const middleware = [limited("password"), sameOrigin, member];

const choose = operation("POST", {
  tag: "Profile",
  summary: "Act for another profile of the account",
  description:
    "The session goes on with another secret, which the answer sets as its cookie. `pin` is the PIN of the profile, `password` that of the account, and one of them is needed where the list of profiles says what the profile `asks` for: 403 without it. After too many wrong PINs the profile answers 403 and takes only the password.",
  body: z.object({
    profile: z.uuid(),
    pin: z.string().trim().max(100).optional(),
    password: credentialInput.optional(),
  }),
  answer: success(householdProfileObject.meta({ id: "ChosenProfile" })),
  headers: ["Set-Cookie"],
  refuses: ["not_found"],
  handle: async ({ body: { profile, ...typed }, request, context }) => {
    const session = getCurrentSession(context);
    const switched = await switchProfile(session, profile, typed, memberOf(context));
    if (!switched.ok) return switched;
    const headers = await switchedHeaders(switched.value, request, context);
    const chosen = await findProfile(session.user.accountId, profile);
    if (!chosen) return refuse("unauthorized");
    return Response.json(succeed(householdProfileOnWire(chosen, context)), { headers });
  },
});

export const loader = serve(choose);
export const action = loader;

import { z } from "zod";
import { getCurrentUser, grownUp, memberOrToken } from "#app/access/guards/guard.server.ts";
import { limited } from "#app/access/limits.server.ts";
import { getProfile, updateProfile } from "#app/domain/profile/profile.server.ts";
import { operation, serve, succeed, success } from "#app/http/endpoint/operation.server.ts";
import { sameOrigin } from "#app/http/guards/same-origin.server.ts";
import { preferencesObject, preferencesOnWire } from "#app/wire/preferences.server.ts";
import {
  profileChange,
  profileObject,
  profileOnWire,
  sentProfile,
  sentProfileOnWire,
  toProfileChange,
} from "#app/wire/profile.server.ts";

export const middleware = [limited("user"), sameOrigin, memberOrToken, grownUp];

const read = operation("GET", {
  tag: "Profile",
  summary: "The whole profile, with preferences",
  answer: success(profileObject.extend({ preferences: preferencesObject }).meta({ id: "FullProfile" })),
  handle: async ({ context }) => {
    const user = getCurrentUser(context);
    const profile = await getProfile(user.id);
    if (!profile.ok) return profile;
    const preferences = preferencesOnWire(user.preferences);
    return succeed({ ...profileOnWire(profile.value, context), preferences });
  },
});

const echo = z
  .object({
    ...profileObject.pick({ id: true, email: true, updated_at: true }).shape,
    ...sentProfile.shape,
  })
  .meta({ id: "SavedProfile" });

const save = operation("POST", {
  tag: "Profile",
  summary: "Save the profile",
  description: "Tastes that are not sent keep their value. Answers the fields that were sent, as stored.",
  body: profileChange,
  answer: success(echo),
  handle: async ({ body, context }) => {
    const outcome = await updateProfile(getCurrentUser(context).id, toProfileChange(body, context));
    if (!outcome.ok) return outcome;
    const { id, email, updated_at } = profileOnWire(outcome.value, context);
    return succeed({ ...sentProfileOnWire(body, outcome.value, context), id, email, updated_at });
  },
});

export const loader = serve(read, save);
export const action = loader;

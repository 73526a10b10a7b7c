import { z } from "zod";
import { getCurrentUser, memberOrToken, requireGrownUp } from "#app/access/guards/guard.server.ts";
import { limited } from "#app/access/limits.server.ts";
import { visitorCookieFor } from "#app/access/viewer.server.ts";
import { savePreferences } from "#app/domain/accounts/accounts.server.ts";
import { getProfile, updateProfile } from "#app/domain/profile/profile.server.ts";
import { cacheHeaders, noStore } from "#app/http/cache-policy.server.ts";
import { fail } from "#app/http/endpoint/error-response.server.ts";
import { operation, serve, succeed, success } from "#app/http/endpoint/operation.server.ts";
import { declaredRequired } from "#app/http/endpoint/wire-schema.ts";
import { sameOrigin } from "#app/http/guards/same-origin.server.ts";
import {
  preferencesChange,
  preferencesObject,
  preferencesOnWire,
  toPreferencesChange,
} from "#app/wire/preferences.server.ts";
import {
  partialProfileChange,
  sentProfile,
  sentProfileOnWire,
  toProfileChange,
} from "#app/wire/profile.server.ts";

export const middleware = [limited("user"), sameOrigin, memberOrToken];

const change = preferencesChange.extend(partialProfileChange.shape);

const saved = z
  .object({
    user_id: z.string(),
    ...preferencesObject.shape,
    updated_at: z.string(),
    ...sentProfile.shape,
  })
  .meta({ id: "SavedPreferences" });

const isEmpty = (change: object) => Object.values(change).every((value) => value === undefined);

const save = operation("POST", {
  tag: "Profile",
  summary: "Save preferences",
  description:
    "Send at least one preference or one field of the profile. Answers all preferences, and the fields of the profile that were sent. Members under 18 cannot turn parental control off.",
  // Without a body the message names what is missing, as with an empty object.
  body: declaredRequired(change.meta({ minProperties: 1 }).optional()),
  answer: success(saved),
  headers: ["Set-Cookie"],
  handle: async ({ body = {}, request, context }) => {
    const { id, preferences: before } = getCurrentUser(context);
    const newPreferences = toPreferencesChange(body);
    const newProfile = toProfileChange(body, context);
    if (isEmpty(newPreferences) && isEmpty(newProfile)) throw fail("invalid", "User preferences is required");
    if (!isEmpty(newProfile)) requireGrownUp(context);
    // The profile is saved first: it can refuse, and a birthday in it decides about parental control.
    const profile = isEmpty(newProfile) ? await getProfile(id) : await updateProfile(id, newProfile);
    if (!profile.ok) return profile;
    const outcome = await savePreferences(id, newPreferences);
    if (!outcome.ok) return outcome;
    const { userId, updatedAt, ...preferences } = outcome.value;
    const record: z.input<typeof saved> = {
      ...sentProfileOnWire(body, profile.value, context),
      user_id: userId,
      ...preferencesOnWire(preferences),
      updated_at: updatedAt.toISOString(),
    };
    const headers = {
      ...cacheHeaders(noStore),
      "Set-Cookie": visitorCookieFor(preferences, request, context, before.timeZone),
    };
    return Response.json(succeed(record), { headers });
  },
});

export const loader = serve(save);
export const action = loader;

import { z } from "zod";
import { visitorCookieFor } from "#app/api/access/viewer.server.ts";
import {
  colorInput,
  firstAliasIn,
  inputAliases,
  withAliases,
  wordInput,
} from "#app/api/input-aliases.server.ts";
import { preferencesObject, preferencesOnWire } from "#app/api/preferences.ts";
import { savePreferences } from "#app/domain/accounts/accounts.server.ts";
import { titleLanguages } from "#app/domain/visitor/visitor.ts";
import { getCurrentUser, memberOrToken } from "#app/http/access/guard.server.ts";
import { sameOrigin } from "#app/http/access/same-origin.server.ts";
import { cacheHeaders, noStore } from "#app/http/cache-policy.server.ts";
import { fail } from "#app/http/endpoint/error-response.server.ts";
import { operation, serve, succeed, success } from "#app/http/endpoint/operation.server.ts";
import { declaredRequired } from "#app/http/endpoint/wire-schema.ts";

export const middleware = [sameOrigin, memberOrToken];

const change = z.object({
  ...withAliases(inputAliases.accent, colorInput),
  ...withAliases(inputAliases.parentalControl, z.boolean()),
  ...withAliases(inputAliases.trackSearchHistory, z.boolean()),
  timeZone: z.string().max(64).nullable().optional(),
  titleLanguage: wordInput(titleLanguages).optional(),
});

const saved = z
  .object({
    user_id: z.string(),
    ...preferencesObject.shape,
    updated_at: z.string(),
  })
  .meta({ id: "SavedPreferences" });

const save = operation("POST", {
  tag: "Profile",
  summary: "Save preferences",
  description: "Send at least one preference. Members under 18 cannot turn parental control off.",
  // Without a body the message names what is missing, as with an empty object.
  body: declaredRequired(change.meta({ minProperties: 1 }).optional()),
  answer: success(saved),
  headers: ["Set-Cookie"],
  handle: async ({ body = {}, request, context }) => {
    const input = {
      accentColor: firstAliasIn(inputAliases.accent, body),
      parentalControl: firstAliasIn(inputAliases.parentalControl, body),
      trackSearchHistory: firstAliasIn(inputAliases.trackSearchHistory, body),
      timeZone: body.timeZone,
      titleLanguage: body.titleLanguage,
    };
    if (Object.values(input).every((value) => value === undefined))
      throw fail("invalid", "User preferences is required");
    const user = getCurrentUser(context);
    const outcome = await savePreferences(user.id, input);
    if (!outcome.ok) return outcome;
    const { userId, updatedAt, ...preferences } = outcome.value;
    const record: z.output<typeof saved> = {
      user_id: userId,
      ...preferencesOnWire(preferences),
      updated_at: updatedAt.toISOString(),
    };
    const headers = {
      ...cacheHeaders(noStore),
      "Set-Cookie": visitorCookieFor(preferences, request, context, user.preferences.timeZone),
    };
    return Response.json(succeed(record), { headers });
  },
});

export const loader = serve(save);
export const action = loader;

import { z } from "zod";
import { savePreferences } from "#app/domain/accounts/accounts.server.ts";
import { titleLanguages } from "#app/domain/visitor/visitor.ts";
import { fail } from "#app/http/error-response.server.ts";
import { currentUser, memberOrToken } from "#app/http/guard.server.ts";
import { operation, serve, succeed, success } from "#app/http/operation.server.ts";
import { sameOrigin } from "#app/http/same-origin.server.ts";
import { firstOf, spelled, spelledColor, spelledWord, spellings } from "#app/http/spellings.server.ts";
import { visitorCookieOf } from "#app/http/viewer.server.ts";

export const middleware = [sameOrigin, memberOrToken];

const change = z.object({
  ...spelled(spellings.accent, spelledColor),
  ...spelled(spellings.parentalControl, z.boolean()),
  ...spelled(spellings.trackSearchHistory, z.boolean()),
  timeZone: z.string().max(64).nullable().optional(),
  titleLanguage: spelledWord(titleLanguages).optional(),
});

const saved = z.object({
  user_id: z.string(),
  enfasiscolor: z.string(),
  parentalControl: z.boolean(),
  trackSearchHistory: z.boolean(),
  timeZone: z.string().nullable(),
  titleLanguage: z.enum(titleLanguages),
  updated_at: z.string(),
});

const save = operation("POST", {
  tag: "Profile",
  summary: "Save preferences",
  description: "At least one. Under eighteen, parental control stays on.",
  body: change.optional(),
  answer: success(saved),
  handle: async ({ body = {}, request, context }) => {
    const asked = {
      enfasiscolor: firstOf(spellings.accent, body),
      parentalControl: firstOf(spellings.parentalControl, body),
      trackSearchHistory: firstOf(spellings.trackSearchHistory, body),
      timeZone: body.timeZone,
      titleLanguage: body.titleLanguage,
    };
    if (Object.values(asked).every((value) => value === undefined))
      throw fail("invalid", "User preferences is required");
    const outcome = await savePreferences(currentUser(context).id, asked);
    if (!outcome.ok) return outcome;
    const { userId, updatedAt, ...preferences } = outcome.value;
    const record = { user_id: userId, ...preferences, updated_at: updatedAt.toISOString() };
    const headers = {
      "Cache-Control": "no-store",
      "Set-Cookie": visitorCookieOf(preferences, request, context),
    };
    return Response.json(succeed(record), { headers });
  },
});

export const loader = serve(save);
export const action = loader;

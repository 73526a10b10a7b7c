import { redirect } from "react-router";
import { z } from "zod";
import { memberOrVisitor } from "#app/access/guards/guard.server.ts";
import { limited } from "#app/access/limits.server.ts";
import { getVisit, visitorCookieFor } from "#app/access/viewer.server.ts";
import { savePreferences } from "#app/domain/accounts/accounts.server.ts";
import {
  defaultPreferences,
  type Preferences,
  type VisitorPreferenceName,
  visitorPreferenceNames,
} from "#app/domain/accounts/accounts.ts";
import { isTimeZone } from "#app/domain/calendar/calendar.ts";
import { readVisitorPreferences } from "#app/domain/visitor/visitor.ts";
import { refusalResponse } from "#app/http/endpoint/error-response.server.ts";
import { readPageForm } from "#app/http/forms/form.server.ts";
import { safeRedirectTarget } from "#app/http/forms/redirect-target.ts";
import { sameOrigin } from "#app/http/guards/same-origin.server.ts";
import { homePath } from "#app/paths.ts";
import { normalizeHex } from "#app/ui/accent.ts";
import type { Route } from "./+types/visitor-settings";

/** The action of forms that change preferences: of the visitor's cookie, and of the account of a signed-in member. */
export const middleware = [limited("user"), sameOrigin, memberOrVisitor];

const text = z.string().optional();
const texts = Object.fromEntries(visitorPreferenceNames.map((name) => [name, text]));
const fields = z.object({
  ...(texts as Record<VisitorPreferenceName, typeof text>),
  enfasiscolor: text,
  /** Scripts send it. Only the cookie stores it, since the member has not chosen it. */
  browserTimeZone: text,
  redirectTo: text,
});

export async function action({ request, context }: Route.ActionArgs) {
  const read = await readPageForm(fields, request);
  if (!read.ok) throw refusalResponse(read);
  const { redirectTo, browserTimeZone = "" } = read.value;
  const { user, preferences: shown, chosenTitleLanguage } = await getVisit(request, context);
  const preferences = { ...shown, titleLanguage: chosenTitleLanguage };
  const change = changeIn(read.value);
  // An account stores only what was posted. Otherwise two changes at the same time would undo each other.
  const saved = user && Object.keys(change).length > 0 ? await savePreferences(user.id, change) : null;
  const updated = saved?.ok ? saved.value : { ...preferences, ...change };
  const browserZone = preferences.timeZone ?? (isTimeZone(browserTimeZone) ? browserTimeZone : null);
  const cookie = { ...updated, timeZone: updated.timeZone ?? browserZone };
  return redirect(safeRedirectTarget(redirectTo), {
    status: 303,
    headers: { "Set-Cookie": visitorCookieFor(cookie, request, context) },
  });
}

/** Values that are not valid are left out. */
function changeIn(form: z.output<typeof fields>): Partial<Preferences> {
  const accent = normalizeHex(form.enfasiscolor ?? "");
  const change = readVisitorPreferences((name) => (name === "accentColor" ? accent : form[name]));
  // The default keeps its spelling, so that it stays the default.
  const { accentColor } = defaultPreferences;
  return change.accentColor === accentColor.toLowerCase() ? { ...change, accentColor } : change;
}

export const loader = () => redirect(homePath());

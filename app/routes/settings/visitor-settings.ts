import { redirect } from "react-router";
import { z } from "zod";
import { limited } from "#app/access/limits.server.ts";
import { getVisit, visitorCookieFor } from "#app/access/viewer.server.ts";
import { savePreferences } from "#app/domain/accounts/accounts.server.ts";
import { defaultPreferences, type Preferences, themes } from "#app/domain/accounts/accounts.ts";
import { isTimeZone } from "#app/domain/calendar/calendar.ts";
import { titleLanguages } from "#app/domain/visitor/visitor.ts";
import { refusalResponse } from "#app/http/endpoint/error-response.server.ts";
import { readPageForm } from "#app/http/forms/form.server.ts";
import { safeRedirectTarget } from "#app/http/forms/redirect-target.ts";
import { sameOrigin } from "#app/http/guards/same-origin.server.ts";
import { homePath } from "#app/paths.ts";
import { normalizeHex } from "#app/ui/accent.ts";
import type { Route } from "./+types/visitor-settings";

/** The action of forms that change preferences: of the visitor's cookie, and of the account of a signed-in member. */
export const middleware = [limited("user"), sameOrigin];

const text = z.string().optional();
const fields = z.object({
  enfasiscolor: text,
  parentalControl: text,
  trackSearchHistory: text,
  timeZone: text,
  /** Scripts send it. Only the cookie stores it, since the member has not chosen it. */
  browserTimeZone: text,
  titleLanguage: text,
  theme: text,
  redirectTo: text,
});
type Fields = z.output<typeof fields>;

export async function action({ request, context }: Route.ActionArgs) {
  const read = await readPageForm(fields, request);
  if (!read.ok) throw refusalResponse(read);
  const { redirectTo, browserTimeZone = "" } = read.value;
  const { user, preferences } = await getVisit(request, context);
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
function changeIn(form: Fields): Partial<Preferences> {
  const accent = form.enfasiscolor === undefined ? null : normalizeHex(form.enfasiscolor);
  const isDefaultAccent = accent === defaultPreferences.accentColor.toLowerCase();
  const titleLanguage = titleLanguages.find((language) => language === form.titleLanguage);
  const theme = themes.find((word) => word === form.theme);
  const { parentalControl, trackSearchHistory, timeZone = "" } = form;
  return {
    ...(accent !== null && { accentColor: isDefaultAccent ? defaultPreferences.accentColor : accent }),
    ...(parentalControl !== undefined && { parentalControl: parentalControl !== "false" }),
    ...(trackSearchHistory !== undefined && { trackSearchHistory: trackSearchHistory !== "false" }),
    ...(isTimeZone(timeZone) && { timeZone }),
    ...(titleLanguage && { titleLanguage }),
    ...(theme && { theme }),
  };
}

export const loader = () => redirect(homePath());

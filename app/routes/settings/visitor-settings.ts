import { redirect } from "react-router";
import { z } from "zod";
import { getViewer, visitorCookieFor } from "#app/api/access/viewer.server.ts";
import { savePreferences } from "#app/domain/accounts/accounts.server.ts";
import { defaultPreferences, type Preferences } from "#app/domain/accounts/accounts.ts";
import { isTimeZone } from "#app/domain/calendar/calendar.ts";
import { titleLanguages } from "#app/domain/visitor/visitor.ts";
import { sameOrigin } from "#app/http/access/same-origin.server.ts";
import { refusalResponse } from "#app/http/endpoint/error-response.server.ts";
import { readPageForm } from "#app/http/forms/form.server.ts";
import { safeRedirectTarget } from "#app/http/forms/redirect-target.ts";
import { homePath } from "#app/paths.ts";
import { normalizeHex } from "#app/ui/accent.ts";
import type { Route } from "./+types/visitor-settings";

/** The action of forms that change preferences: of the visitor's cookie, and of the account of a signed-in member. */
export const middleware = [sameOrigin];

const text = z.string().optional();
const fields = z.object({
  enfasiscolor: text,
  parentalControl: text,
  trackSearchHistory: text,
  timeZone: text,
  titleLanguage: text,
  redirectTo: text,
});
type Fields = z.output<typeof fields>;

export async function action({ request, context }: Route.ActionArgs) {
  const read = await readPageForm(fields, request);
  if (!read.ok) throw refusalResponse(read);
  const form = read.value;
  const { user, preferences } = await getViewer(request, context);
  const updated = withFormFields(preferences, form);
  const saved = user && (await savePreferences(user.id, updated));
  return redirect(safeRedirectTarget(form.redirectTo), {
    status: 303,
    headers: { "Set-Cookie": visitorCookieFor(saved?.ok ? saved.value : updated, request, context) },
  });
}

function withFormFields(current: Preferences, form: Fields): Preferences {
  const accent = form.enfasiscolor === undefined ? null : normalizeHex(form.enfasiscolor);
  const zone = form.timeZone ?? "";
  return {
    accentColor:
      accent === defaultPreferences.accentColor.toLowerCase()
        ? defaultPreferences.accentColor
        : (accent ?? current.accentColor),
    parentalControl:
      form.parentalControl === undefined ? current.parentalControl : form.parentalControl !== "false",
    trackSearchHistory:
      form.trackSearchHistory === undefined
        ? current.trackSearchHistory
        : form.trackSearchHistory !== "false",
    timeZone: isTimeZone(zone) ? zone : current.timeZone,
    titleLanguage:
      titleLanguages.find((language) => language === form.titleLanguage) ?? current.titleLanguage,
  };
}

export const loader = () => redirect(homePath());

import { redirect } from "react-router";
import { z } from "zod";
import { savePreferences } from "#app/domain/accounts/accounts.server.ts";
import { defaultPreferences, type Preferences } from "#app/domain/accounts/accounts.ts";
import { isTimeZone, titleLanguages } from "#app/domain/visitor/visitor.ts";
import { refusalResponse } from "#app/http/error-response.server.ts";
import { readForm } from "#app/http/form.server.ts";
import { redirectTarget } from "#app/http/redirect-target.ts";
import { sameOrigin } from "#app/http/same-origin.server.ts";
import { viewerOf, visitorCookieOf } from "#app/http/viewer.server.ts";
import { normalizeHex } from "#app/ui/accent.ts";
import type { Route } from "./+types/visitor-settings";

/** Where forms change what a visitor keeps, or the account that is signed in; without JavaScript this is the only way to. */
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
  const read = await readForm(fields, request);
  if (!read.ok) throw refusalResponse(read);
  const form = read.value;
  const { user, preferences } = await viewerOf(request, context);
  const next = changed(preferences, form);
  const saved = user && (await savePreferences(user.id, next));
  return redirect(redirectTarget(form.redirectTo), {
    status: 303,
    headers: { "Set-Cookie": visitorCookieOf(saved?.ok ? saved.value : next, request, context) },
  });
}

function changed(current: Preferences, form: Fields): Preferences {
  const accent = form.enfasiscolor === undefined ? null : normalizeHex(form.enfasiscolor);
  const zone = form.timeZone ?? "";
  return {
    enfasiscolor:
      accent === defaultPreferences.enfasiscolor.toLowerCase()
        ? defaultPreferences.enfasiscolor
        : (accent ?? current.enfasiscolor),
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

export const loader = () => redirect("/");

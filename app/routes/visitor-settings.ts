import { redirect } from "react-router";
import { savePreferences } from "#app/domain/accounts/accounts.server.ts";
import { defaultPreferences, type Preferences } from "#app/domain/accounts/accounts.ts";
import { isTimeZone, titleLanguages } from "#app/domain/visitor/visitor.ts";
import { redirectTarget } from "#app/http/redirect-target.ts";
import { sameOrigin } from "#app/http/same-origin.server.ts";
import { viewerOf, visitorCookieOf } from "#app/http/viewer.server.ts";
import { normalizeHex } from "#app/ui/accent.ts";
import type { Route } from "./+types/visitor-settings";

/** Where forms change what a visitor keeps, or the account that is signed in; without JavaScript this is the only way to. */
export const middleware = [sameOrigin];

export async function action({ request, context }: Route.ActionArgs) {
  const form = await request.formData();
  const { user, preferences } = await viewerOf(request, context);
  const next = changed(preferences, form);
  const saved = user && (await savePreferences(user.id, next));
  return redirect(redirectTarget(form.get("redirectTo")?.toString()), {
    status: 303,
    headers: { "Set-Cookie": visitorCookieOf(saved?.ok ? saved.value : next, request, context) },
  });
}

function changed(current: Preferences, form: FormData): Preferences {
  const text = (name: string) => form.get(name)?.toString() ?? "";
  const zone = text("timeZone");
  const accent = form.has("enfasiscolor") ? normalizeHex(text("enfasiscolor")) : null;
  return {
    enfasiscolor:
      accent === defaultPreferences.enfasiscolor.toLowerCase()
        ? defaultPreferences.enfasiscolor
        : (accent ?? current.enfasiscolor),
    parentalControl: form.has("parentalControl")
      ? text("parentalControl") !== "false"
      : current.parentalControl,
    trackSearchHistory: form.has("trackSearchHistory")
      ? text("trackSearchHistory") !== "false"
      : current.trackSearchHistory,
    timeZone: isTimeZone(zone) ? zone : current.timeZone,
    titleLanguage:
      titleLanguages.find((language) => language === text("titleLanguage")) ?? current.titleLanguage,
  };
}

export const loader = () => redirect("/");

import { redirect } from "react-router";
import { defaultPreferences } from "#app/domain/accounts/accounts.ts";
import { isTimeZone, titleLanguages, visitorCookie } from "#app/domain/visitor/visitor.ts";
import { clientContext } from "#app/http/context.server.ts";
import { redirectTarget } from "#app/http/redirect-target.ts";
import { sameOrigin } from "#app/http/same-origin.server.ts";
import { visitorOf } from "#app/http/viewer.server.ts";
import { normalizeHex } from "#app/ui/accent.ts";
import type { Route } from "./+types/visitor-settings";

/** Where forms change what a visitor keeps; without JavaScript this is the only way to. */
export const middleware = [sameOrigin];

export async function action({ request, context }: Route.ActionArgs) {
  const form = await request.formData();
  const text = (name: string) => form.get(name)?.toString() ?? "";
  const current = visitorOf(request);
  const zone = text("timeZone");
  const accent = form.has("enfasiscolor") ? normalizeHex(text("enfasiscolor")) : null;
  const next = {
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
  const isSecure = context.get(clientContext).origin.startsWith("https:");
  return redirect(redirectTarget(text("redirectTo")), {
    status: 303,
    headers: { "Set-Cookie": visitorCookie(next, isSecure) },
  });
}

export const loader = () => redirect("/");

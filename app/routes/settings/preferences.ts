import { data, redirect } from "react-router";
import { z } from "zod";
import { getCurrentUser, memberPage } from "#app/access/guards/guard.server.ts";
import { limitedWrites } from "#app/access/limits.server.ts";
import { visitorCookieFor } from "#app/access/viewer.server.ts";
import { savePreferences } from "#app/domain/accounts/accounts.server.ts";
import { refuse } from "#app/domain/errors.ts";
import { formErrorResponse, readPageForm } from "#app/http/forms/form.server.ts";
import { sameOriginPage } from "#app/http/guards/same-origin.server.ts";
import { preferencesParts, settingsPath } from "#app/paths.ts";
import { answerToEdit } from "#app/ui/watch-list/edit-answer.ts";
import type { Route } from "./+types/preferences";
import { FormRefusal } from "./form-refusal.tsx";
import type { SavedAnswer } from "./preference-form.tsx";
import { preferencesForm } from "./preferences-form.server.ts";

export const middleware: Route.MiddlewareFunction[] = [limitedWrites("user"), sameOriginPage, memberPage];

/** The section whose form was sent: the answer is beside its button. */
const partInput = z.enum(preferencesParts).catch("appearance");

const languagesIn = (fields: readonly (string | undefined)[]) => [
  ...new Set(fields.flatMap((language) => language || [])),
];

const notAColor = refuse(
  "invalid",
  "Write the color as # and three or six hexadecimal digits, like #0057E7.",
);

export async function action({ request, context, url }: Route.ActionArgs) {
  const form = await readPageForm(preferencesForm, request);
  if (!form.ok) return formErrorResponse(form);
  const {
    enfasiscolor: accentColor,
    firstSubtitles,
    secondSubtitles,
    thirdSubtitles,
    alone,
    ...others
  } = form.value;
  if (accentColor === null) return formErrorResponse(notAColor);
  const user = getCurrentUser(context);
  const saved = await savePreferences(user.id, {
    accentColor,
    ...others,
    subtitleLanguages:
      firstSubtitles === undefined
        ? undefined
        : languagesIn([firstSubtitles, secondSubtitles, thirdSubtitles]),
  });
  if (!saved.ok) return formErrorResponse(saved);
  const headers = {
    "Set-Cookie": visitorCookieFor(saved.value, request, context, user.preferences.timeZone),
  };
  if (alone !== undefined) return data<SavedAnswer>({}, { headers });
  const part = partInput.parse(url.searchParams.get("part"));
  throw redirect(`${settingsPath({ notice: `${part}-saved` })}#${part}`, { headers });
}

/** A request that fails is answered beside its control. Otherwise an error page would replace the settings. */
export const clientAction = (args: Route.ClientActionArgs) => answerToEdit(args);

export default FormRefusal;

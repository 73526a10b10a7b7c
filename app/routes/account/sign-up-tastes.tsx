import { Form, redirect } from "react-router";
import { getCurrentUser, grownUpPage } from "#app/access/guards/guard.server.ts";
import { limitedWrites } from "#app/access/limits.server.ts";
import { titleLanguageFor, viewerOf } from "#app/access/viewer.server.ts";
import { listTasteChoices, listTitlePicks } from "#app/domain/discovery/discovery.server.ts";
import { listMalIdsOnList } from "#app/domain/library/library.server.ts";
import { getProfile } from "#app/domain/profile/profile.server.ts";
import { formErrorResponse, readPageForm } from "#app/http/forms/form.server.ts";
import { safeRedirectTarget } from "#app/http/forms/redirect-target.ts";
import { sameOriginPage } from "#app/http/guards/same-origin.server.ts";
import { listImportPath, signInPath, signUpTastesPath, withQuery } from "#app/paths.ts";
import { countText } from "#app/platform/count-text.ts";
import { toTitlePicks } from "#app/routes/views/title-views.server.ts";
import { errorsByField } from "#app/ui/forms/form-errors.ts";
import { ErrorSummary } from "#app/ui/forms/form-field.tsx";
import { UploadIcon } from "#app/ui/icons/tool-icons.tsx";
import { Link } from "#app/ui/link.tsx";
import { TasteFields, TitlePicks } from "#app/ui/profile/taste-fields.tsx";
import { htmlMeta } from "#app/ui/shell/page-meta.ts";
import {
  listQuestions,
  maxProfileFormBytes,
  saveTastes,
  searchIn,
  studioSearchOf,
  tasteForm,
} from "#app/wire/forms/profile-form.server.ts";
import type { Route } from "./+types/sign-up-tastes";

export const middleware: Route.MiddlewareFunction[] = [limitedWrites("user"), sameOriginPage, grownUpPage];
export const meta: Route.MetaFunction = ({ matches }) =>
  htmlMeta(matches, { title: "What you like", description: "The last step of signing up." });

export async function loader({ request, context, url }: Route.LoaderArgs) {
  const user = getCurrentUser(context);
  const profile = await getProfile(user.id);
  if (!profile.ok) throw redirect(signInPath());
  const viewer = viewerOf(user);
  const language = titleLanguageFor(request, user.preferences);
  const redirectTo = safeRedirectTarget(url.searchParams.get("redirectTo"));
  const listed = await listMalIdsOnList(user.id);
  return {
    titles: toTitlePicks(
      await listTitlePicks(viewer, profile.value, { search: studioSearchOf(url), withPopular: true, listed }),
      language,
    ),
    listed: listed.length,
    choices: { ...listTasteChoices(viewer, profile.value), questions: listQuestions(profile.value) },
    bring: listImportPath({ redirectTo: signUpTastesPath({ redirectTo }) }),
    skip: redirectTo,
  };
}

export async function action({ request, context, url }: Route.ActionArgs) {
  const form = await readPageForm(tasteForm, request, { limit: maxProfileFormBytes });
  if (!form.ok) return formErrorResponse(form);
  const saved = await saveTastes(getCurrentUser(context).id, form.value);
  if (!saved.ok) return formErrorResponse(saved);
  const redirectTo = safeRedirectTarget(url.searchParams.get("redirectTo"));
  // Somebody who empties the field and presses Search wants the popular titles back.
  const isSearch = form.value.find !== undefined;
  const q = searchIn(form.value) ?? undefined;
  throw redirect(isSearch ? withQuery(signUpTastesPath(), { q, redirectTo }) : redirectTo);
}

export default function SignUpTastes({ loaderData, actionData }: Route.ComponentProps) {
  const { titles, choices, listed, bring, skip } = loaderData;
  const formErrors = errorsByField(actionData);
  return (
    <div className="wrap page">
      <header className="page-head">
        <div>
          <h1>What you like</h1>
          <p className="lead">Step 3 of 3. The home page uses your answers to suggest titles.</p>
        </div>
      </header>
      <ErrorSummary message={formErrors.message} answer={actionData} />
      {listed > 0 ? (
        <p className="taste-import">
          Your list has {countText(listed, "title")}. Titles on your list are left out of the popular ones.
        </p>
      ) : (
        <section className="taste-import" aria-labelledby="bring">
          <h2 id="bring">Bring your list</h2>
          <p className="quiet">
            From MyAnimeList, AniList or another Engawa. Your list says best what you like, and you come back
            here afterwards.
          </p>
          <Link className="button" to={bring}>
            <UploadIcon />
            Import a list
          </Link>
        </section>
      )}
      {/* The action is the address of this step without the search, which is a field of the form. */}
      <Form method="post" action={signUpTastesPath({ redirectTo: skip })} className="stack tastes">
        <TitlePicks key={titles.search} {...titles} />
        <TasteFields {...choices} />
        <p className="message-actions">
          <button className="button" data-kind="primary" type="submit">
            Finish
          </button>
          <Link className="button" data-kind="ghost" to={skip}>
            Skip this step
          </Link>
        </p>
      </Form>
    </div>
  );
}

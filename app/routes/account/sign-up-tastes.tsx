import { Form, Link, redirect } from "react-router";
import { getProfile, saveProfile } from "#app/domain/accounts/accounts.server.ts";
import { formFaults, readForm } from "#app/http/form.server.ts";
import { currentUser, memberPage } from "#app/http/guard.server.ts";
import { tasteForm, toTastes } from "#app/http/profile-form.server.ts";
import { redirectTarget } from "#app/http/redirect-target.ts";
import { sameOriginPage } from "#app/http/same-origin.server.ts";
import { tasteChoices } from "#app/http/taste-choices.server.ts";
import { faultsByField } from "#app/ui/form-faults.ts";
import { ErrorSummary } from "#app/ui/form-field.tsx";
import { pageMeta } from "#app/ui/page-meta.ts";
import { TasteFields } from "#app/ui/profile/taste-fields.tsx";
import type { Route } from "./+types/sign-up-tastes";

export const middleware: Route.MiddlewareFunction[] = [sameOriginPage, memberPage];
export const headers = () => ({ "Cache-Control": "private, no-store" });
export const meta: Route.MetaFunction = ({ matches }) =>
  pageMeta(matches, { title: "What you like", description: "The last step of signing up." });

export async function loader({ context, url }: Route.LoaderArgs) {
  const user = currentUser(context);
  const profile = await getProfile(user.id);
  if (!profile.ok) throw redirect("/signin");
  return {
    ...(await tasteChoices(user, profile.value)),
    skip: redirectTarget(url.searchParams.get("redirectTo")),
  };
}

export async function action({ request, context, url }: Route.ActionArgs) {
  const form = await readForm(tasteForm, request);
  if (!form.ok) return formFaults(form);
  const saved = await saveProfile(currentUser(context).id, toTastes(form.value));
  if (!saved.ok) return formFaults(saved);
  throw redirect(redirectTarget(url.searchParams.get("redirectTo")));
}

export default function SignUpTastes({ loaderData, actionData }: Route.ComponentProps) {
  const { skip, ...choices } = loaderData;
  const faults = faultsByField(actionData);
  return (
    <div className="wrap page">
      <header className="page-head">
        <div>
          <h1>What you like</h1>
          <p className="lead">Step 3 of 3. Home will know where to begin.</p>
        </div>
      </header>
      <ErrorSummary message={faults.message} answer={actionData} />
      <Form method="post" className="stack tastes">
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

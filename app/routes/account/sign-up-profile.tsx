import { Form, Link, redirect } from "react-router";
import { getProfile, saveProfile } from "#app/domain/accounts/accounts.server.ts";
import { genders } from "#app/domain/accounts/accounts.ts";
import { formFaults, readForm } from "#app/http/form.server.ts";
import { currentUser, memberPage } from "#app/http/guard.server.ts";
import { personForm, toPerson } from "#app/http/profile-form.server.ts";
import { redirectTarget } from "#app/http/redirect-target.ts";
import { sameOriginPage } from "#app/http/same-origin.server.ts";
import { AccountPage } from "#app/ui/account-page.tsx";
import { faultsByField } from "#app/ui/form-faults.ts";
import { ErrorSummary } from "#app/ui/form-field.tsx";
import { pageMeta } from "#app/ui/page-meta.ts";
import { PersonFields } from "#app/ui/profile/person-fields.tsx";
import { PictureForm } from "#app/ui/profile/picture-form.tsx";
import type { Route } from "./+types/sign-up-profile";

export const middleware: Route.MiddlewareFunction[] = [sameOriginPage, memberPage];
export const headers = () => ({ "Cache-Control": "private, no-store" });
export const meta: Route.MetaFunction = ({ matches }) =>
  pageMeta(matches, { title: "About you", description: "The second step of signing up." });

const nextStep = (url: URL) => {
  const redirectTo = redirectTarget(url.searchParams.get("redirectTo"));
  return `/signup/tastes${redirectTo === "/" ? "" : `?redirectTo=${encodeURIComponent(redirectTo)}`}`;
};

export async function loader({ context, url }: Route.LoaderArgs) {
  const profile = await getProfile(currentUser(context).id);
  if (!profile.ok) throw redirect("/signin");
  const { name, lastName, birthday, gender, avatarUrl } = profile.value;
  const today = new Date().toISOString().slice(0, 10);
  return {
    person: { name, lastName, birthday, gender },
    avatar: avatarUrl,
    genders,
    today,
    skip: nextStep(url),
  };
}

export async function action({ request, context, url }: Route.ActionArgs) {
  const form = await readForm(personForm, request);
  if (!form.ok) return formFaults(form);
  const saved = await saveProfile(currentUser(context).id, toPerson(form.value));
  if (saved.ok) throw redirect(nextStep(url));
  const { name, last_name, birthday } = form.value;
  return formFaults(saved, { name, last_name: last_name ?? "", birthday: birthday ?? "" });
}

export default function SignUpProfile({ loaderData, actionData }: Route.ComponentProps) {
  const { person, avatar, today, skip } = loaderData;
  const faults = faultsByField(actionData);
  return (
    <AccountPage title="About you" lead="Step 2 of 3. Your account is made; all of this can wait.">
      <ErrorSummary message={faults.message} answer={actionData} />
      <PictureForm kind="avatar" current={avatar} name={person.name} />
      <Form method="post">
        <PersonFields person={person} genders={loaderData.genders} faults={faults} today={today} />
        <button className="button" data-kind="primary" data-wide type="submit">
          Continue
        </button>
      </Form>
      <p className="account-foot">
        <Link to={skip}>Skip this step</Link>
      </p>
    </AccountPage>
  );
}

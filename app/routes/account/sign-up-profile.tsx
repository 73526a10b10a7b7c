import { Form, redirect } from "react-router";
import { getCurrentUser, grownUpPage } from "#app/access/guards/guard.server.ts";
import { limitedWrites } from "#app/access/limits.server.ts";
import { isMinor } from "#app/domain/accounts/accounts.ts";
import { proxiedPictureUrl } from "#app/domain/images/images.server.ts";
import { getProfile, updateProfile } from "#app/domain/profile/profile.server.ts";
import { genders } from "#app/domain/profile/profile.ts";
import { formErrorResponse, readPageForm, typedTexts } from "#app/http/forms/form.server.ts";
import { safeRedirectTarget } from "#app/http/forms/redirect-target.ts";
import { sameOriginPage } from "#app/http/guards/same-origin.server.ts";
import { signInPath, signUpTastesPath } from "#app/paths.ts";
import { errorsByField } from "#app/ui/forms/form-errors.ts";
import { ErrorSummary } from "#app/ui/forms/form-field.tsx";
import { Link } from "#app/ui/link.tsx";
import { NameField, OptionalFields } from "#app/ui/profile/person-fields.tsx";
import { PictureForm } from "#app/ui/profile/picture-form.tsx";
import { htmlMeta } from "#app/ui/shell/page-meta.ts";
import { personForm, toPerson } from "#app/wire/forms/profile-form.server.ts";
import type { Route } from "./+types/sign-up-profile";
import { AccountPage } from "./account-page.tsx";

export const middleware: Route.MiddlewareFunction[] = [limitedWrites("user"), sameOriginPage, grownUpPage];
export const meta: Route.MetaFunction = ({ matches }) =>
  htmlMeta(matches, { title: "About you", description: "The second step of signing up." });

const nextStep = (url: URL) => {
  const redirectTo = safeRedirectTarget(url.searchParams.get("redirectTo"));
  return signUpTastesPath({ redirectTo });
};

export async function loader({ context, url }: Route.LoaderArgs) {
  const profile = await getProfile(getCurrentUser(context).id);
  if (!profile.ok) throw redirect(signInPath());
  const { name, lastName, birthday, gender, avatarUrl } = profile.value;
  const today = new Date().toISOString().slice(0, 10);
  return {
    person: { name, lastName, birthday, isBirthdayLocked: isMinor(birthday), gender },
    avatar: proxiedPictureUrl(avatarUrl, 512),
    genders,
    today,
    skip: nextStep(url),
  };
}

export async function action({ request, context, url }: Route.ActionArgs) {
  const form = await readPageForm(personForm, request);
  if (!form.ok) return formErrorResponse(form);
  const saved = await updateProfile(getCurrentUser(context).id, toPerson(form.value));
  if (saved.ok) throw redirect(nextStep(url));
  return formErrorResponse(saved, typedTexts(form.value));
}

export default function SignUpProfile({ loaderData, actionData }: Route.ComponentProps) {
  const { person, avatar, today, skip } = loaderData;
  const formErrors = errorsByField(actionData);
  return (
    <AccountPage
      title="About you"
      lead="Step 2 of 3. Your account is ready. You can also fill this in later."
    >
      <ErrorSummary message={formErrors.message} answer={actionData} />
      <PictureForm kind="avatar" current={avatar} name={person.name} />
      <Form method="post">
        <NameField person={person} formErrors={formErrors} />
        {/* A browser shows no message at a wrong field inside closed details. */}
        <details
          className="account-more"
          open={actionData !== undefined}
          onInvalidCapture={({ currentTarget }) => {
            currentTarget.open = true;
          }}
        >
          <summary className="link disclosure">More, if you like</summary>
          <p className="quiet">
            Nothing here is needed. Your last name and gender only fill your own profile; your birthday says
            whether titles for adults may be shown to you.
          </p>
          <OptionalFields
            person={person}
            genders={loaderData.genders}
            formErrors={formErrors}
            today={today}
          />
        </details>
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

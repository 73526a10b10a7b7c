import { Form, Link, redirect } from "react-router";
import { viewerOf } from "#app/api/access/viewer.server.ts";
import {
  maxProfileFormBytes,
  profileForm,
  saveTastes,
  toPerson,
} from "#app/api/forms/profile-form.server.ts";
import { getProfile } from "#app/domain/accounts/accounts.server.ts";
import { genders, isMinor, isOwner } from "#app/domain/accounts/accounts.ts";
import { listTasteChoices } from "#app/domain/discovery/discovery.server.ts";
import { proxiedPictureUrl } from "#app/domain/images/images.server.ts";
import { getCurrentUser, grownUpPage } from "#app/http/access/guard.server.ts";
import { sameOriginPage } from "#app/http/access/same-origin.server.ts";
import { formErrorResponse, readPageForm } from "#app/http/forms/form.server.ts";
import { profilePath, signInPath } from "#app/paths.ts";
import { errorsByField } from "#app/ui/forms/form-errors.ts";
import { ErrorSummary } from "#app/ui/forms/form-field.tsx";
import { PersonFields } from "#app/ui/profile/person-fields.tsx";
import { PictureForm } from "#app/ui/profile/picture-form.tsx";
import { TasteFields } from "#app/ui/profile/taste-fields.tsx";
import { htmlMeta } from "#app/ui/shell/page-meta.ts";
import type { Route } from "./+types/edit";

export const middleware: Route.MiddlewareFunction[] = [sameOriginPage, grownUpPage];
export const meta: Route.MetaFunction = ({ matches }) =>
  htmlMeta(matches, { title: "Edit profile", description: "Your pictures, name and tastes." });

export async function loader({ context }: Route.LoaderArgs) {
  const user = getCurrentUser(context);
  const profile = await getProfile(user.id);
  if (!profile.ok) throw redirect(signInPath());
  const { name, lastName, birthday, gender, avatarUrl, bannerImage } = profile.value;
  return {
    person: {
      name,
      lastName,
      birthday,
      isBirthdayLocked: isMinor(birthday),
      gender,
      isNameOnly: !isOwner(user),
    },
    avatar: proxiedPictureUrl(avatarUrl, 512),
    banner: proxiedPictureUrl(bannerImage, 1080),
    genders,
    today: new Date().toISOString().slice(0, 10),
    choices: await listTasteChoices(viewerOf(user), profile.value),
  };
}

export async function action({ request, context }: Route.ActionArgs) {
  const form = await readPageForm(profileForm, request, { limit: maxProfileFormBytes });
  if (!form.ok) return formErrorResponse(form);
  const saved = await saveTastes(getCurrentUser(context).id, form.value, toPerson(form.value));
  if (saved.ok) throw redirect(profilePath());
  const { name, last_name, birthday } = form.value;
  return formErrorResponse(saved, { name, last_name: last_name ?? "", birthday: birthday ?? "" });
}

export default function EditProfile({ loaderData: page, actionData }: Route.ComponentProps) {
  const formErrors = errorsByField(actionData);
  return (
    <div className="wrap page settings">
      <h1>Edit profile</h1>
      <ErrorSummary message={formErrors.message} answer={actionData} />
      <PictureForm kind="avatar" current={page.avatar} name={page.person.name} />
      <PictureForm kind="banner" current={page.banner} name={page.person.name} />
      <Form method="post" className="stack">
        <PersonFields
          person={page.person}
          genders={page.genders}
          formErrors={formErrors}
          today={page.today}
        />
        <TasteFields {...page.choices} />
        <p className="message-actions">
          <button className="button" data-kind="primary" type="submit">
            Save
          </button>
          <Link className="button" data-kind="ghost" to={profilePath()}>
            Cancel
          </Link>
        </p>
      </Form>
    </div>
  );
}

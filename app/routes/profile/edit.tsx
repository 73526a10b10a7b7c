import { Form, Link, redirect } from "react-router";
import { getProfile, saveProfile } from "#app/domain/accounts/accounts.server.ts";
import { genders } from "#app/domain/accounts/accounts.ts";
import { formFaults, readForm } from "#app/http/form.server.ts";
import { currentUser, memberPage } from "#app/http/guard.server.ts";
import { profileForm, toPerson, toTastes } from "#app/http/profile-form.server.ts";
import { sameOriginPage } from "#app/http/same-origin.server.ts";
import { tasteChoices } from "#app/http/taste-choices.server.ts";
import { faultsByField } from "#app/ui/form-faults.ts";
import { ErrorSummary } from "#app/ui/form-field.tsx";
import { pageMeta } from "#app/ui/page-meta.ts";
import { PersonFields } from "#app/ui/profile/person-fields.tsx";
import { PictureForm } from "#app/ui/profile/picture-form.tsx";
import { TasteFields } from "#app/ui/profile/taste-fields.tsx";
import { pictureUrl } from "#app/ui/title-views.ts";
import type { Route } from "./+types/edit";

export const middleware: Route.MiddlewareFunction[] = [sameOriginPage, memberPage];
export const headers = () => ({ "Cache-Control": "private, no-store" });
export const meta: Route.MetaFunction = ({ matches }) =>
  pageMeta(matches, { title: "Edit profile", description: "Your pictures, name and tastes." });

export async function loader({ context }: Route.LoaderArgs) {
  const user = currentUser(context);
  const profile = await getProfile(user.id);
  if (!profile.ok) throw redirect("/signin");
  const { name, lastName, birthday, gender, avatarUrl, bannerImage } = profile.value;
  return {
    person: { name, lastName, birthday, gender },
    avatar: pictureUrl(avatarUrl, 512),
    banner: pictureUrl(bannerImage, 1080),
    genders,
    today: new Date().toISOString().slice(0, 10),
    choices: await tasteChoices(user, profile.value),
  };
}

export async function action({ request, context }: Route.ActionArgs) {
  const form = await readForm(profileForm, request);
  if (!form.ok) return formFaults(form);
  const saved = await saveProfile(currentUser(context).id, {
    ...toPerson(form.value),
    ...toTastes(form.value),
  });
  if (saved.ok) throw redirect("/profile");
  const { name, last_name, birthday } = form.value;
  return formFaults(saved, { name, last_name: last_name ?? "", birthday: birthday ?? "" });
}

export default function EditProfile({ loaderData: page, actionData }: Route.ComponentProps) {
  const faults = faultsByField(actionData);
  return (
    <div className="wrap page settings">
      <h1>Edit profile</h1>
      <ErrorSummary message={faults.message} answer={actionData} />
      <PictureForm kind="avatar" current={page.avatar} name={page.person.name} />
      <PictureForm kind="banner" current={page.banner} name={page.person.name} />
      <Form method="post" className="stack">
        <PersonFields person={page.person} genders={page.genders} faults={faults} today={page.today} />
        <TasteFields {...page.choices} />
        <p className="message-actions">
          <button className="button" data-kind="primary" type="submit">
            Save
          </button>
          <Link className="button" data-kind="ghost" to="/profile">
            Cancel
          </Link>
        </p>
      </Form>
    </div>
  );
}

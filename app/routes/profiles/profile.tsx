import { Form, redirect } from "react-router";
import { z } from "zod";
import { memberOf } from "#app/access/actor.server.ts";
import {
  getCurrentSession,
  getCurrentUser,
  memberFormError,
  ownerPage,
} from "#app/access/guards/guard.server.ts";
import { limitedWrites } from "#app/access/limits.server.ts";
import {
  deleteProfile,
  findProfile,
  hasPin,
  updateHouseholdProfile,
} from "#app/domain/household/household.server.ts";
import { deleteUnusedPicturesOnce, proxiedPictureUrl } from "#app/domain/images/images.server.ts";
import { formErrorResponse, readPageForm } from "#app/http/forms/form.server.ts";
import { sameOriginPage } from "#app/http/guards/same-origin.server.ts";
import { householdPath, householdTitlesPath } from "#app/paths.ts";
import { inBackground } from "#app/platform/log.server.ts";
import { Confirm } from "#app/ui/forms/confirm.tsx";
import { errorsByField } from "#app/ui/forms/form-errors.ts";
import { ErrorSummary } from "#app/ui/forms/form-field.tsx";
import { Link, LinkLine } from "#app/ui/link.tsx";
import { PictureForm } from "#app/ui/profile/picture-form.tsx";
import { htmlMeta } from "#app/ui/shell/page-meta.ts";
import type { Route } from "./+types/profile";
import { ProfileFields } from "./profile-fields.tsx";
import { profileFields } from "./profile-form.server.ts";

/** The owner edits or deletes another profile of the household. */
export const middleware: Route.MiddlewareFunction[] = [limitedWrites("user"), sameOriginPage, ownerPage];
export const meta: Route.MetaFunction = ({ matches }) =>
  htmlMeta(matches, { title: "Edit profile", description: "A profile of this household." });

export async function loader({ params, context }: Route.LoaderArgs) {
  const id = z.uuid().safeParse(params.id);
  const user = getCurrentUser(context);
  const profile = id.success ? await findProfile(user.accountId, id.data) : null;
  if (profile === null || profile.isOwner) throw redirect(householdPath());
  const { name, avatar, accentColor, ceiling } = profile;
  const asksForPin = !user.isBesideChild && !(await hasPin(user.id));
  return { id: profile.id, name, accentColor, ceiling, asksForPin, avatar: proxiedPictureUrl(avatar, 512) };
}

const change = z.discriminatedUnion("intent", [
  z.object({ intent: z.literal("save"), ...profileFields }),
  z.object({ intent: z.literal("delete") }),
]);

export async function action({ request, params: { id }, context, url }: Route.ActionArgs) {
  const form = await readPageForm(change, request);
  if (!form.ok) return formErrorResponse(form);
  const session = getCurrentSession(context);
  if (!z.uuid().safeParse(id).success) throw redirect(householdPath());
  if (form.value.intent === "delete") {
    const deleted = await deleteProfile(session, id, memberOf(context));
    if (!deleted.ok) return memberFormError(deleted, url);
    inBackground("deleting unused pictures", deleteUnusedPicturesOnce());
    throw redirect(householdPath({ notice: "deleted" }));
  }
  const { name, accent: accentColor, ceiling, pin } = form.value;
  const fields = { name, accentColor, ceiling, pin };
  const saved = await updateHouseholdProfile(session, id, fields, memberOf(context));
  if (!saved.ok) return memberFormError(saved, url, { name, accent: accentColor, ceiling: ceiling ?? "" });
  throw redirect(householdPath({ notice: "saved" }));
}

export default function EditHouseholdProfile({ loaderData: profile, actionData }: Route.ComponentProps) {
  const formErrors = errorsByField(actionData);
  return (
    <div className="wrap page settings">
      <h1>Edit {profile.name}</h1>
      <ErrorSummary message={formErrors.message} answer={actionData} />
      <PictureForm kind="avatar" current={profile.avatar} name={profile.name} profile={profile.id} />
      <Form method="post" className="stack">
        <ProfileFields
          name={profile.name}
          accentColor={profile.accentColor}
          ceiling={profile.ceiling}
          asksForPin={profile.asksForPin}
          formErrors={formErrors}
        />
        <p className="message-actions">
          <button className="button" data-kind="primary" type="submit" name="intent" value="save">
            Save
          </button>
          <Link className="button" data-kind="ghost" to={householdPath()}>
            Cancel
          </Link>
        </p>
      </Form>
      {profile.ceiling !== null && (
        <LinkLine to={householdTitlesPath()}>Titles that you allow or block</LinkLine>
      )}
      <Confirm
        label="Delete this profile"
        text={`The list, the history and the settings of ${profile.name} are deleted at once. This cannot be undone.`}
      >
        <Form method="post">
          <button className="button" type="submit" name="intent" value="delete">
            Delete {profile.name} for good
          </button>
        </Form>
      </Confirm>
    </div>
  );
}

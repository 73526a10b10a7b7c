import { redirect } from "react-router";
import { z } from "zod";
import { memberOf } from "#app/access/actor.server.ts";
import {
  getCurrentSession,
  getCurrentUser,
  memberFormError,
  ownerPage,
} from "#app/access/guards/guard.server.ts";
import { limitedWrites } from "#app/access/limits.server.ts";
import { maxProfiles } from "#app/domain/accounts/accounts.ts";
import { createProfile, hasPin, listProfiles } from "#app/domain/household/household.server.ts";
import { formErrorResponse, readPageForm } from "#app/http/forms/form.server.ts";
import { sameOriginPage } from "#app/http/guards/same-origin.server.ts";
import {
  type HouseholdNotice,
  householdPath,
  householdProfilePath,
  householdTitlesPath,
  profileEditPath,
} from "#app/paths.ts";
import { isClosedSite } from "#app/platform/site-settings.server.ts";
import { noticeIn } from "#app/routes/views/notice.server.ts";
import { useFocusPassedOn } from "#app/ui/forms/focus-passed-on.ts";
import { errorsByField } from "#app/ui/forms/form-errors.ts";
import { ErrorSummary, Notice } from "#app/ui/forms/form-field.tsx";
import { OnceForm } from "#app/ui/forms/once-form.tsx";
import { Link, LinkLine } from "#app/ui/link.tsx";
import { htmlMeta } from "#app/ui/shell/page-meta.ts";
import type { Route } from "./+types/household";
import { faceOf } from "./faces.server.ts";
import { ProfileFace } from "./profile-face.tsx";
import { ceilingText, ProfileFields } from "./profile-fields.tsx";
import { profileFields } from "./profile-form.server.ts";

export const middleware: Route.MiddlewareFunction[] = [limitedWrites("user"), sameOriginPage, ownerPage];
export const meta: Route.MetaFunction = ({ matches }) =>
  htmlMeta(matches, { title: "Household", description: "The people who share this account." });

const notices: Record<HouseholdNotice, string> = {
  added: "The profile is added. “Switch profile” in your menu opens it.",
  "added-chosen":
    "The profile is added. It shows nothing until you allow a title: open the page of a title and choose “Allow” under “For your children”.",
  saved: "Saved.",
  deleted: "The profile is deleted, with its lists and histories.",
};

/** Colors for new profiles, so that no two profiles look the same. */
const nextColors = ["#16A34A", "#DB2777", "#F97316", "#7C3AED", "#0891B2", "#E5484D", "#FFD400"] as const;

export async function loader({ context, url }: Route.LoaderArgs) {
  const user = getCurrentUser(context);
  const [profiles, isLocked] = await Promise.all([listProfiles(user.accountId), hasPin(user.id)]);
  return {
    profiles: profiles.map((profile) => ({ ...faceOf(profile), ceiling: profile.ceiling })),
    hasVisitors: !isClosedSite(),
    hasChild: profiles.some(({ ceiling }) => ceiling !== null),
    asksForPin: !isLocked && !user.isBesideChild,
    isFull: profiles.length >= maxProfiles,
    nextColor: nextColors[profiles.length - 1] ?? nextColors[0],
    notice: noticeIn(url, notices),
  };
}

export async function action({ request, context, url }: Route.ActionArgs) {
  const form = await readPageForm(z.object(profileFields), request);
  if (!form.ok) return formErrorResponse(form);
  const { name, accent: accentColor, ceiling, pin } = form.value;
  const fields = { name, accentColor, ceiling, pin };
  const created = await createProfile(getCurrentSession(context), fields, memberOf(context));
  if (!created.ok)
    return memberFormError(created, url, { name, accent: accentColor, ceiling: ceiling ?? "" });
  throw redirect(householdPath({ notice: ceiling === "chosen" ? "added-chosen" : "added" }));
}

export default function Household({ loaderData: page, actionData }: Route.ComponentProps) {
  return (
    <div className="wrap page settings">
      <h1>Household</h1>
      <p className="lead">
        Each person who watches with this account can have a profile: a list, a history and settings of their
        own. Everybody signs in with your e-mail address and password.
      </p>
      {page.notice !== null && !actionData && <Notice>{page.notice}</Notice>}
      <ul className="settings-rows profiles-rows">
        {page.profiles.map((profile) => (
          <li key={profile.id}>
            <ProfileFace face={profile} />
            <span>
              {profile.name}
              {profile.isOwner && <span className="quiet">First profile, which manages the others</span>}
              {!profile.isOwner && <span className="quiet">{ceilingText(profile.ceiling)}</span>}
            </span>
            <Link
              className="button"
              data-kind="ghost"
              to={profile.isOwner ? profileEditPath() : householdProfilePath(profile.id)}
            >
              Edit<span className="visually-hidden"> {profile.name}</span>
            </Link>
          </li>
        ))}
      </ul>
      {page.hasChild && (
        <>
          <LinkLine to={householdTitlesPath()}>Titles that you allow or block</LinkLine>
          {page.hasVisitors && (
            <p className="quiet">
              A browser that is not signed in has no age limit: it shows what this site shows to visitors.
            </p>
          )}
        </>
      )}
      <section className="settings-section" aria-labelledby="new">
        <h2 id="new">New profile</h2>
        {page.isFull ? (
          <p className="quiet">An account has at most {maxProfiles} profiles. Delete one to add another.</p>
        ) : (
          // The key empties the form after a profile was added.
          <NewProfile key={page.profiles.length} {...page} answer={actionData} />
        )}
      </section>
    </div>
  );
}

type NewProps = { nextColor: string; asksForPin: boolean; answer: Route.ComponentProps["actionData"] };

function NewProfile({ nextColor, asksForPin, answer }: NewProps) {
  const formErrors = errorsByField(answer);
  return (
    <OnceForm ref={useFocusPassedOn<HTMLFormElement>()} className="stack">
      <ErrorSummary message={formErrors.message} answer={answer} />
      <ProfileFields
        name=""
        accentColor={nextColor}
        ceiling={null}
        asksForPin={asksForPin}
        formErrors={formErrors}
      />
      <button className="button settings-save" data-kind="primary" type="submit">
        Add profile
      </button>
    </OnceForm>
  );
}

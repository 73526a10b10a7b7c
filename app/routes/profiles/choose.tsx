import { type RefObject, useEffect, useRef } from "react";
import { redirect } from "react-router";
import { z } from "zod";
import { memberOf } from "#app/access/actor.server.ts";
import { addAfterSignIn, switchedHeaders } from "#app/access/answer-sign-in.server.ts";
import { getCurrentSession, getCurrentUser, memberPage } from "#app/access/guards/guard.server.ts";
import { limitedWrites } from "#app/access/limits.server.ts";
import type { FoundSession } from "#app/domain/accounts/accounts.server.ts";
import { isOwner } from "#app/domain/accounts/accounts.ts";
import { findEntry, listProfiles, switchProfile } from "#app/domain/household/household.server.ts";
import { cacheHeaders, noStore } from "#app/http/cache-policy.server.ts";
import { formErrorResponse, readPageForm } from "#app/http/forms/form.server.ts";
import { safeRedirectTarget } from "#app/http/forms/redirect-target.ts";
import { sameOriginPage } from "#app/http/guards/same-origin.server.ts";
import { householdPath, profilesPath } from "#app/paths.ts";
import { errorsByField } from "#app/ui/forms/form-errors.ts";
import { ErrorSummary } from "#app/ui/forms/form-field.tsx";
import { Link } from "#app/ui/link.tsx";
import { htmlMeta } from "#app/ui/shell/page-meta.ts";
import { credentialInput } from "#app/wire/credentials.ts";
import type { Route } from "./+types/choose";
import { EnterProfile } from "./enter-profile.tsx";
import { faceOf } from "./faces.server.ts";
import { ProfileFace } from "./profile-face.tsx";

export const middleware: Route.MiddlewareFunction[] = [limitedWrites("password"), sameOriginPage, memberPage];
export const headers = () => cacheHeaders(noStore);
export const meta: Route.MetaFunction = ({ matches }) =>
  htmlMeta(matches, { title: "Who is watching?", description: "The profiles of this account." });

export async function loader({ context, url }: Route.LoaderArgs) {
  const user = getCurrentUser(context);
  const profiles = await listProfiles(user.accountId);
  if (profiles.length === 1) throw redirect(householdPath());
  const session = getCurrentSession(context);
  return {
    redirectTo: safeRedirectTarget(url.searchParams.get("redirectTo"), url.origin),
    canManage: isOwner(user) && !session.asksWho,
    entered: await findEntered(session, url.searchParams.get("enter")),
    profiles: profiles.map((profile) => ({
      ...faceOf(profile),
      isCurrent: profile.id === user.id && !session.asksWho,
    })),
  };
}

/** The profile that asks for a PIN or a password before it is entered. */
async function findEntered(session: FoundSession, text: string | null) {
  const id = z.uuid().safeParse(text);
  const entry = id.success ? await findEntry(session, id.data) : null;
  if (!id.success || !entry?.ok || entry.value.asks === null) return null;
  return { id: id.data, ...entry.value, asks: entry.value.asks };
}

const choice = z.object({
  profile: z.uuid(),
  redirectTo: z.string().optional(),
  pin: z.string().trim().max(100).optional(),
  password: credentialInput.optional(),
});

export async function action({ request, context, url }: Route.ActionArgs) {
  const form = await readPageForm(choice, request);
  if (!form.ok) return formErrorResponse(form);
  const { profile, redirectTo, ...typed } = form.value;
  const session = getCurrentSession(context);
  const target = safeRedirectTarget(redirectTo, url.origin);
  if (typed.pin === undefined && typed.password === undefined && (await findEntered(session, profile)))
    throw redirect(profilesPath({ redirectTo: target, enter: profile }));
  const switched = await switchProfile(session, profile, typed, memberOf(context));
  if (!switched.ok) return formErrorResponse(switched);
  throw redirect(await addAfterSignIn(switched.value, target), {
    headers: await switchedHeaders(switched.value, request, context),
  });
}

export default function WhoIsWatching({ loaderData: page, actionData }: Route.ComponentProps) {
  const list = useRef<HTMLUListElement>(null);
  useArrowsInList(list);
  if (page.entered)
    return (
      <EnterProfile
        profile={page.entered}
        face={page.profiles.find(({ id }) => id === page.entered?.id)}
        redirectTo={page.redirectTo}
        formErrors={errorsByField(actionData)}
        answer={actionData}
      />
    );
  return (
    <div className="wrap page profiles-page profiles-full">
      <h1>Who is watching?</h1>
      <ErrorSummary message={actionData?.message} answer={actionData} />
      {/* A plain form loads a new document, so that no data of the previous profile stays in the open one. */}
      <form method="post" action={profilesPath()}>
        <input type="hidden" name="redirectTo" value={page.redirectTo} />
        <ul className="profiles-choice" ref={list}>
          {page.profiles.map((profile) => (
            <li key={profile.id}>
              <button
                type="submit"
                name="profile"
                value={profile.id}
                aria-current={profile.isCurrent ? "true" : undefined}
              >
                <ProfileFace face={profile} />
                <span>{profile.name}</span>
              </button>
            </li>
          ))}
        </ul>
      </form>
      {page.canManage && (
        <Link className="button" data-kind="ghost" to={householdPath()}>
          Manage profiles
        </Link>
      )}
    </div>
  );
}

const steps: Record<string, number> = { ArrowLeft: -1, ArrowUp: -1, ArrowRight: 1, ArrowDown: 1 };

/**
 * Moves the focus among the buttons of a list with the arrow keys, for remote controls. The hook listens only while the
 * focus is in the list, on the heading or on nothing, so that the keys keep their meaning elsewhere.
 */
function useArrowsInList(list: RefObject<HTMLElement | null>) {
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      const step = steps[event.key];
      const buttons = [...(list.current?.querySelectorAll("button") ?? [])];
      if (buttons.length === 0) return;
      const focused = document.activeElement;
      const isOutside = focused?.matches("a, button, input, select, textarea, summary") ?? false;
      const index = buttons.indexOf(focused as HTMLButtonElement);
      const hasModifier = event.altKey || event.ctrlKey || event.metaKey || event.shiftKey;
      if (step === undefined || event.defaultPrevented || hasModifier || (index === -1 && isOutside)) return;
      event.preventDefault();
      const current = buttons.findIndex((button) => button.hasAttribute("aria-current"));
      const next = index === -1 ? Math.max(current, 0) : (index + step + buttons.length) % buttons.length;
      buttons[next]?.focus();
    };
    document.addEventListener("keydown", onKey);
    return () => document.removeEventListener("keydown", onKey);
  }, [list]);
}

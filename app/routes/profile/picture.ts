import { redirect } from "react-router";
import { z } from "zod";
import { getCurrentUser, grownUpPage } from "#app/access/guards/guard.server.ts";
import { limited } from "#app/access/limits.server.ts";
import { isOwner, type SessionUser } from "#app/domain/accounts/accounts.ts";
import { refuse } from "#app/domain/errors.ts";
import { findProfile } from "#app/domain/household/household.server.ts";
import { updateProfile } from "#app/domain/profile/profile.server.ts";
import { refusalResponse } from "#app/http/endpoint/error-response.server.ts";
import { safeRedirectTarget } from "#app/http/forms/redirect-target.ts";
import { sameOrigin } from "#app/http/guards/same-origin.server.ts";
import { profileEditPath } from "#app/paths.ts";
import { type PictureKind, withRefusal } from "#app/ui/profile/picture-refusal.ts";
import { saveSentPicture } from "#app/wire/forms/picture-form.server.ts";
import type { Route } from "./+types/picture";

/** The action of the profile's picture forms: stores the picture and makes it the avatar or banner, or removes that. */
export const middleware: Route.MiddlewareFunction[] = [limited("user"), sameOrigin, grownUpPage];

export const loader = () => redirect(profileEditPath());

export async function action({ request, context, url }: Route.ActionArgs) {
  const kind = url.searchParams.get("kind") === "banner" ? "banner" : "avatar";
  const userId = await profileFor(getCurrentUser(context), url.searchParams.get("profile"));
  const refusal =
    userId === null
      ? refusalResponse(refuse("not_found"))
      : url.searchParams.has("remove")
        ? await removePicture(kind, userId)
        : await saveSentPicture({ request, context, userId, shape: kind }, (address) =>
            updatePicture(kind, userId, address),
          );
  if (request.headers.get("Accept") === "application/json")
    return refusal ?? Response.json({ success: true });
  const page = safeRedirectTarget(url.searchParams.get("redirectTo") || profileEditPath());
  return redirect(refusal === null ? page : withRefusal(page, kind, refusal.status), 303);
}

/** The member's own profile, or the one that the owner of the household names. */
async function profileFor(user: SessionUser, named: string | null): Promise<string | null> {
  if (named === null) return user.id;
  if (!isOwner(user) || !z.uuid().safeParse(named).success) return null;
  return (await findProfile(user.accountId, named))?.id ?? null;
}

const updatePicture = (kind: PictureKind, userId: string, address: string | null) =>
  updateProfile(userId, kind === "banner" ? { bannerImage: address } : { avatarUrl: address });

async function removePicture(kind: PictureKind, userId: string): Promise<Response | null> {
  const removed = await updatePicture(kind, userId, null);
  return removed.ok ? null : refusalResponse(removed);
}

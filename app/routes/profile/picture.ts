import { redirect } from "react-router";
import { z } from "zod";
import { getCurrentUser, grownUpPage } from "#app/access/guards/guard.server.ts";
import { limited } from "#app/access/limits.server.ts";
import { isOwner, type SessionUser } from "#app/domain/accounts/accounts.ts";
import { refuse } from "#app/domain/errors.ts";
import { findProfile } from "#app/domain/household/household.server.ts";
import { createStoredPicture, pictureBudget } from "#app/domain/images/images.server.ts";
import { updateProfile } from "#app/domain/profile/profile.server.ts";
import type { Context } from "#app/http/context.server.ts";
import { refusalResponse } from "#app/http/endpoint/error-response.server.ts";
import { safeRedirectTarget } from "#app/http/forms/redirect-target.ts";
import { sameOrigin } from "#app/http/guards/same-origin.server.ts";
import { proxyRequesterOf } from "#app/http/pipeline/own-addresses.server.ts";
import { profileEditPath } from "#app/paths.ts";
import { type PictureKind, withRefusal } from "#app/ui/profile/picture-refusal.ts";
import { readPictureUpload } from "#app/wire/picture-upload.server.ts";
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
        : await savePicture(kind, userId, request, context);
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

async function removePicture(kind: PictureKind, userId: string): Promise<Response | null> {
  const removed = await updateProfile(
    userId,
    kind === "banner" ? { bannerImage: null } : { avatarUrl: null },
  );
  return removed.ok ? null : refusalResponse(removed);
}

/** Null if the picture is saved. */
async function savePicture(
  kind: PictureKind,
  userId: string,
  request: Request,
  context: Context,
): Promise<Response | null> {
  const requester = proxyRequesterOf(context);
  const use = { userId, kind: "upload" } as const;
  try {
    const saved = await pictureBudget(requester.client, async (admit) => {
      const { picture } = await readPictureUpload(request, admit);
      const stored = await createStoredPicture(picture, kind, use, requester);
      if (!stored.ok) return stored;
      return updateProfile(
        userId,
        kind === "banner" ? { bannerImage: stored.value } : { avatarUrl: stored.value },
      );
    });
    return saved.ok ? null : refusalResponse(saved);
  } catch (error) {
    // `readPictureUpload` throws the answer to a body that it cannot read.
    if (error instanceof Response) return error;
    throw error;
  }
}

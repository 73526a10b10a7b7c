import { redirect } from "react-router";
import { readPictureUpload } from "#app/api/picture-upload.server.ts";
import { updateProfile } from "#app/domain/accounts/accounts.server.ts";
import {
  createStoredPicture,
  createStoredPictureFromUrl,
  pictureBudget,
} from "#app/domain/images/images.server.ts";
import { getCurrentUser, memberPage } from "#app/http/access/guard.server.ts";
import { sameOrigin } from "#app/http/access/same-origin.server.ts";
import { refusalResponse } from "#app/http/endpoint/error-response.server.ts";
import { safeRedirectTarget } from "#app/http/forms/redirect-target.ts";
import { proxyRequesterOf } from "#app/http/pipeline/own-addresses.server.ts";
import { profileEditPath } from "#app/paths.ts";
import type { Route } from "./+types/picture";

/** The action of the profile's picture forms: stores the picture and makes it the avatar or banner. */
export const middleware: Route.MiddlewareFunction[] = [sameOrigin, memberPage];

export const loader = () => redirect(profileEditPath());

export async function action({ request, context }: Route.ActionArgs) {
  const { id: userId } = getCurrentUser(context);
  const requester = proxyRequesterOf(context);
  const { saved, redirectTo } = await pictureBudget(requester.client, async (admit) => {
    const { picture, isBanner, redirectTo } = await readPictureUpload(request, admit);
    const shape = isBanner ? "banner" : "avatar";
    const use = { userId, kind: "upload" } as const;
    const stored =
      "address" in picture
        ? await createStoredPictureFromUrl(picture.address, shape, use, requester)
        : await createStoredPicture(picture.bytes, shape, use, requester);
    if (!stored.ok) return { saved: stored, redirectTo };
    const change = isBanner ? { bannerImage: stored.value } : { avatarUrl: stored.value };
    return { saved: await updateProfile(userId, change), redirectTo };
  });
  if (!saved.ok) return refusalResponse(saved);
  return request.headers.get("Accept") === "application/json"
    ? Response.json({ success: true })
    : redirect(redirectTo ? safeRedirectTarget(redirectTo) : profileEditPath(), 303);
}

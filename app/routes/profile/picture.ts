import { redirect } from "react-router";
import { saveProfile } from "#app/domain/accounts/accounts.server.ts";
import { holdingPictures, storePicture, storePictureFrom } from "#app/domain/images/images.server.ts";
import { refusalResponse } from "#app/http/error-response.server.ts";
import { currentUser, memberPage } from "#app/http/guard.server.ts";
import { askerOf } from "#app/http/own-addresses.server.ts";
import { readPictureUpload } from "#app/http/picture-upload.server.ts";
import { sameOrigin } from "#app/http/same-origin.server.ts";
import type { Route } from "./+types/picture";

/** Where the profile's picture forms post to: stores the picture and shows it, in one step. */
export const middleware: Route.MiddlewareFunction[] = [sameOrigin, memberPage];

export const loader = () => redirect("/profile/edit");

export async function action({ request, context }: Route.ActionArgs) {
  const { id: userId } = currentUser(context);
  const saved = await holdingPictures(async (admit) => {
    const { picture, isBanner } = await readPictureUpload(request, admit);
    const shape = isBanner ? "banner" : "avatar";
    const use = { userId, kind: "upload" } as const;
    const stored =
      "address" in picture
        ? await storePictureFrom(picture.address, shape, use, askerOf(context))
        : await storePicture(picture.bytes, shape, use);
    if (!stored.ok) return stored;
    return saveProfile(userId, isBanner ? { bannerImage: stored.value } : { avatarUrl: stored.value });
  });
  if (!saved.ok) return refusalResponse(saved);
  return request.headers.get("Accept") === "application/json"
    ? Response.json({ success: true })
    : redirect("/profile/edit", 303);
}

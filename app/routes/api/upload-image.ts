import { z } from "zod";
import {
  holdingPictures,
  pictureUrl,
  storePicture,
  storePictureFrom,
} from "#app/domain/images/images.server.ts";
import { clientContext } from "#app/http/context.server.ts";
import { fail } from "#app/http/error-response.server.ts";
import { currentUser, memberOrToken } from "#app/http/guard.server.ts";
import { operation, serve, succeed, success } from "#app/http/operation.server.ts";
import { askerOf } from "#app/http/own-addresses.server.ts";
import { readPictureUpload } from "#app/http/picture-upload.server.ts";
import { sameOrigin } from "#app/http/same-origin.server.ts";

export const middleware = [sameOrigin, memberOrToken];

const upload = operation("POST", {
  tag: "Images",
  summary: "Store a picture",
  description:
    "JSON with `image` (base64, a data: URL or an http address), `filename` and `isBanner`, or a form with a file `image`. Avatars become at most 512 × 512, banners 1080 × 300. Answers the picture's address.",
  accepts: ["application/json", "multipart/form-data"],
  answer: success(z.url()),
  refuses: ["invalid", "too_large", "unsupported", "upstream_failed", "overloaded"],
  async handle({ request, context }) {
    const stored = await holdingPictures(async (admit) => {
      const { picture, filename, isBanner } = await readPictureUpload(request, admit);
      if (filename === undefined) throw fail("invalid", "filename is missing");
      const use = { userId: currentUser(context).id, kind: "upload" } as const;
      const shape = isBanner ? "banner" : "avatar";
      return "address" in picture
        ? storePictureFrom(picture.address, shape, use, askerOf(context))
        : storePicture(picture.bytes, shape, use);
    });
    return stored.ok ? succeed(pictureUrl(stored.value, context.get(clientContext).origin)) : stored;
  },
});

export const loader = serve(upload);
export const action = loader;

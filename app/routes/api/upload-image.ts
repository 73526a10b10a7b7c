import { z } from "zod";
import { getCurrentUser, grownUp, memberOrToken } from "#app/access/guards/guard.server.ts";
import { limited } from "#app/access/limits.server.ts";
import { createStoredPicture, pictureBudget, publicPictureUrl } from "#app/domain/images/images.server.ts";
import { clientContext } from "#app/http/context.server.ts";
import { fail } from "#app/http/endpoint/error-response.server.ts";
import { operation, serve, succeed, success } from "#app/http/endpoint/operation.server.ts";
import { describedAs, rawBytes } from "#app/http/endpoint/wire-schema.ts";
import { sameOrigin } from "#app/http/guards/same-origin.server.ts";
import { proxyRequesterOf } from "#app/http/pipeline/own-addresses.server.ts";
import { readPictureUpload } from "#app/wire/picture-upload.server.ts";

export const middleware = [limited("user"), sameOrigin, memberOrToken, grownUp];

const pictureText = describedAs(z.string(), {
  anyOf: [
    { type: "string", contentEncoding: "base64" },
    { type: "string", format: "uri", description: "A data: URL, or an http or https address" },
  ],
});
const uploadFields = {
  filename: z.string().optional().meta({ description: "The default is the name of the file" }),
  isBanner: z.boolean().optional(),
};

const upload = operation("POST", {
  tag: "Images",
  summary: "Store a picture",
  description:
    "JSON with `image` (base64, a data: URL or an http address), `filename` and `isBanner`, or a form with a file `image`. Avatars become at most 512 × 512, banners 1080 × 300. Answers the picture's URL. A picture that no profile uses within a day is deleted. An account may store a limited number of bytes (UPLOAD_QUOTA).",
  accepts: {
    "application/json": z.object({ image: pictureText, ...uploadFields, filename: z.string() }),
    "multipart/form-data": z.object({ image: rawBytes, ...uploadFields }),
    "application/x-www-form-urlencoded": z.object({
      image: pictureText,
      ...uploadFields,
      filename: z.string(),
    }),
  },
  answer: success(z.url()),
  refuses: ["invalid", "too_large", "unsupported", "upstream_failed", "overloaded", "disk_full"],
  async handle({ request, context }) {
    const requester = proxyRequesterOf(context);
    const stored = await pictureBudget(requester.client, async (admit) => {
      const { picture, filename, isBanner } = await readPictureUpload(request, admit);
      if (filename === undefined)
        throw fail("invalid", "filename is missing", [{ path: "filename", message: "is missing" }]);
      const use = { userId: getCurrentUser(context).id, kind: "upload" } as const;
      const shape = isBanner ? "banner" : "avatar";
      return createStoredPicture(picture, shape, use, requester);
    });
    if (stored.ok) return succeed(publicPictureUrl(stored.value, context.get(clientContext).origin));
    // The specification (4.2) has no 404 here: an address without a picture is an invalid field of the body.
    return stored.reason === "not_found" ? { ...stored, reason: "invalid" } : stored;
  },
});

export const loader = serve(upload);
export const action = loader;

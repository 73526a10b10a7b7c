import { z } from "zod";
import { findChild } from "#app/access/viewer.server.ts";
import {
  type CachedImage,
  convertUploadedImage,
  getProxiedImage,
  isPictureShown,
  remainingFreshMs,
} from "#app/domain/images/images.server.ts";
import { imageFormats, imageSpec } from "#app/domain/images/images.ts";
import { immutable, publicFor } from "#app/http/cache-policy.server.ts";
import { type Context, ipBlockIn, signalIn } from "#app/http/context.server.ts";
import { fail } from "#app/http/endpoint/error-response.server.ts";
import { imageResponse } from "#app/http/endpoint/image-answer.server.ts";
import { operation, serve } from "#app/http/endpoint/operation.server.ts";
import { readRequestBytes } from "#app/http/endpoint/request-body.server.ts";
import { declaredRequired, describedAs, oneOfWords, rawBytes } from "#app/http/endpoint/wire-schema.ts";
import { unlimited } from "#app/http/guards/rate-limit.server.ts";
import { sameOrigin } from "#app/http/guards/same-origin.server.ts";
import { markPrivateRefusal, proxyRequesterOf } from "#app/http/pipeline/own-addresses.server.ts";
import { asMedia } from "#app/http/sharing.ts";
import { hours, mebibytes } from "#app/platform/units.ts";
import { isOurOwnRequest } from "#app/platform/upstream/safe-fetch.server.ts";

export const middleware = [
  unlimited(
    "Pictures have the admission of upstream requests and a budget of computing time for each client",
  ),
  sameOrigin,
];

const spec = {
  w: z.coerce.number().optional().meta({ description: "Width in pixels; 0 keeps the original width" }),
  q: z.coerce.number().optional().meta({ description: "Quality, 1 to 100" }),
  format: describedAs(
    z.string().toLowerCase().pipe(z.enum(imageFormats)),
    oneOfWords(imageFormats),
  ).optional(),
};
/** Optional only for the parser, whose message for a missing address differs from the specification. */
const imageUrl = declaredRequired(z.string().optional().describe("The address of the image"));
const answer = { bytes: ["image/webp", "image/avif"] };
const refuses = ["invalid", "not_found", "upstream_failed", "overloaded"] as const;

const fromUrl = operation("GET", {
  tag: "Images",
  summary: "An image from a URL, resized and converted",
  query: z.object({
    url: imageUrl,
    /** The signature of `url` (IMAGE_PROXY_SIGNING_SECRET), in the URLs on pages of this site. */
    sig: z.string().optional(),
    ...spec,
  }),
  sharing: asMedia,
  admission: "upstream",
  answer,
  tagged: true,
  refuses,
  async handle({ query, request, context }) {
    if (query.url === undefined) throw fail("invalid", "Missing image URL");
    if (isOurOwnRequest(request.headers.get("Via")))
      throw fail("invalid", "This URL leads back to this proxy");
    await requireShown(query.url, request, context);
    const outcome = await getProxiedImage(query.url, query.sig, {
      spec: imageSpec(query),
      requester: proxyRequesterOf(context),
      signal: signalIn(context),
    });
    return outcome.ok ? respond(outcome.value, context) : markPrivateRefusal(outcome, context);
  },
});

const fromBody = operation("POST", {
  tag: "Images",
  summary: "An image from the request body, resized and converted",
  query: z.object(spec),
  accepts: { "image/*": rawBytes, "application/octet-stream": rawBytes },
  answer,
  headers: ["ETag", "Expires"],
  refuses: [...refuses, "too_large"],
  async handle({ query, request, context }) {
    const sender = { client: ipBlockIn(context), signal: signalIn(context) };
    const outcome = await convertUploadedImage(imageSpec(query), sender, (admit) =>
      readRequestBytes(request, mebibytes(10), admit),
    );
    return outcome.ok ? respond(outcome.value, context) : outcome;
  },
});

/**
 * A child gets only pictures that its pages show. Those pages reference pictures of this site directly and not through
 * the proxy.
 */
async function requireShown(url: string, request: Request, context: Context) {
  const child = await findChild(request, context);
  if (child && !(await isPictureShown(url, child.viewer))) throw fail("not_found", "No such picture");
}

/** A placeholder of this site that is fetched through the proxy keeps its short lifetime. */
function respond(image: CachedImage, context: Context) {
  const isShortLived = image.freshForMs < hours(1);
  const policy = isShortLived ? publicFor(image.freshForMs) : immutable;
  return imageResponse(image, policy, context, Math.max(0, remainingFreshMs(image)));
}

export const loader = serve(fromUrl, fromBody);
export const action = loader;

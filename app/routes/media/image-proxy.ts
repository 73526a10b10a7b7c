import { z } from "zod";
import { freshness, type Kept, proxiedImage, sentImage } from "#app/domain/images/images.server.ts";
import { imageFormats, imageSpec } from "#app/domain/images/images.ts";
import { immutable, publicFor } from "#app/http/cache-policy.server.ts";
import type { Context } from "#app/http/context.server.ts";
import { fail } from "#app/http/error-response.server.ts";
import { answerImage } from "#app/http/image-answer.server.ts";
import { operation, serve } from "#app/http/operation.server.ts";
import { askerOf, keptFromOthers } from "#app/http/own-addresses.server.ts";
import { readBytes } from "#app/http/request-body.server.ts";
import { sameOrigin } from "#app/http/same-origin.server.ts";
import { mebibytes } from "#app/platform/byte-size.ts";
import { hours } from "#app/platform/duration.ts";
import { isOurOwnRequest } from "#app/platform/safe-fetch.server.ts";

export const middleware = [sameOrigin];

const spec = {
  w: z.coerce.number("must be a number").optional().meta({ description: "Width in pixels; 0 keeps it" }),
  q: z.coerce.number("must be a number").optional().meta({ description: "Quality, 1 to 100" }),
  format: z.string().toLowerCase().pipe(z.enum(imageFormats, "must be webp or avif")).optional(),
};
const answer = { bytes: ["image/webp", "image/avif"] };
const refuses = ["invalid", "not_found", "upstream_failed", "overloaded"] as const;

const fromAddress = operation("GET", {
  tag: "Images",
  summary: "An image of the web, resized and converted",
  query: z.object({ url: z.string().optional(), ...spec }),
  answer,
  refuses,
  async handle({ query, request, context }) {
    if (query.url === undefined) throw fail("invalid", "Missing image URL");
    if (isOurOwnRequest(request.headers.get("Via")))
      throw fail("invalid", "This address leads back to itself");
    const outcome = await proxiedImage(query.url, imageSpec(query), askerOf(context));
    return outcome.ok ? respond(outcome.value, context) : keptFromOthers(outcome, context);
  },
});

const fromBody = operation("POST", {
  tag: "Images",
  summary: "An image sent as the body, resized and converted",
  query: z.object(spec),
  accepts: ["image/*", "application/octet-stream"],
  answer,
  refuses: [...refuses, "too_large"],
  async handle({ query, request, context }) {
    const outcome = await sentImage(imageSpec(query), (admit) => readBytes(request, mebibytes(10), admit));
    return outcome.ok ? respond(outcome.value, context) : outcome;
  },
});

/** A stand-in of ours, given to the proxy by its address, is as brief here as there. */
function respond(image: Kept, context: Context) {
  const isBrief = image.freshForMs < hours(1);
  const policy = isBrief ? publicFor(image.freshForMs) : immutable;
  return answerImage(image, policy, context, Math.max(0, freshness(image)));
}

export const loader = serve(fromAddress, fromBody);
export const action = loader;

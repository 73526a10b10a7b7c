import { z } from "zod";
import { titlePoster } from "#app/domain/images/images.server.ts";
import { posterWidth } from "#app/domain/images/images.ts";
import { privateNoStore, publicFor } from "#app/http/cache-policy.server.ts";
import { fail, refusalResponse } from "#app/http/error-response.server.ts";
import { answerImage } from "#app/http/image-answer.server.ts";
import { operation, serve } from "#app/http/operation.server.ts";
import { askerOf } from "#app/http/own-addresses.server.ts";
import { viewerOf } from "#app/http/viewer.server.ts";
import { days, minutes, seconds } from "#app/platform/duration.ts";

const lifetimes = { picture: days(1), drawn: days(1), stand_in: minutes(10), sketch: seconds(10) } as const;

const poster = operation("GET", {
  tag: "Images",
  summary: "A title's picture, or one drawn by us",
  query: z.object({ w: z.coerce.number().optional().catch(undefined) }),
  answer: { bytes: ["image/webp", "image/svg+xml"] },
  refuses: ["not_found"],
  async handle({ params, query, request, context }) {
    const id = /^\d{1,9}$/.exec(params.id ?? "")?.[0];
    if (!id) throw fail("not_found", "No such title");
    const outcome = await titlePoster(Number(id), {
      widthPx: posterWidth(query.w),
      asker: askerOf(context),
      showsMature: async () => (await viewerOf(request, context)).showsMature,
    });
    if (!outcome.ok) return refusalResponse(outcome);
    if (outcome.value.isForOneViewer) return answerImage(outcome.value, privateNoStore, context, 0);
    const lifetime = lifetimes[outcome.value.kind];
    return answerImage(outcome.value, publicFor(lifetime), context, Math.min(lifetime, minutes(10)));
  },
});

export const loader = serve(poster);
export const action = loader;

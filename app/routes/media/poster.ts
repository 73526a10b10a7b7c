import { z } from "zod";
import { getVisit } from "#app/api/access/viewer.server.ts";
import { titlePoster } from "#app/domain/images/images.server.ts";
import { posterWidth } from "#app/domain/images/images.ts";
import { privateNoStore, publicFor } from "#app/http/cache-policy.server.ts";
import { fail, refusalResponse } from "#app/http/endpoint/error-response.server.ts";
import { imageResponse } from "#app/http/endpoint/image-answer.server.ts";
import { operation, serve } from "#app/http/endpoint/operation.server.ts";
import { proxyRequesterOf } from "#app/http/pipeline/own-addresses.server.ts";
import { asOwnMedia } from "#app/http/sharing.ts";
import { days, minutes, seconds } from "#app/platform/units.ts";

const lifetimes = { picture: days(1), drawn: days(1), stand_in: minutes(10), sketch: seconds(10) } as const;

const poster = operation("GET", {
  tag: "Images",
  summary: "A title's poster, drawn if the title has no picture",
  params: { id: z.int() },
  query: z.object({ w: z.coerce.number().optional().catch(undefined) }),
  sharing: asOwnMedia,
  admission: "upstream",
  answer: { bytes: ["image/webp", "image/svg+xml"] },
  tagged: true,
  optionalSignIn: "session",
  refuses: ["not_found"],
  async handle({ params, query, request, context }) {
    const id = /^\d{1,9}$/.exec(params.id ?? "")?.[0];
    if (!id) throw fail("not_found", "No such title");
    const outcome = await titlePoster(Number(id), {
      widthPx: posterWidth(query.w),
      requester: { ...proxyRequesterOf(context), signal: request.signal },
      viewer: async () => (await getVisit(request, context)).viewer,
    });
    if (!outcome.ok) return refusalResponse(outcome);
    if (outcome.value.isForOneViewer) return imageResponse(outcome.value, privateNoStore, context, 0);
    const lifetime = lifetimes[outcome.value.kind];
    return imageResponse(outcome.value, publicFor(lifetime), context, Math.min(lifetime, minutes(10)));
  },
});

export const loader = serve(poster);
export const action = loader;

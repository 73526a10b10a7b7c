import { z } from "zod";
import { getVisit, mayBeOfChild } from "#app/access/viewer.server.ts";
import { titlePoster } from "#app/domain/images/images.server.ts";
import { type PosterFormat, posterWidth } from "#app/domain/images/images.ts";
import { privateNoStore, publicFor } from "#app/http/cache-policy.server.ts";
import { fail, refusalResponse } from "#app/http/endpoint/error-response.server.ts";
import { imageResponse } from "#app/http/endpoint/image-answer.server.ts";
import { operation } from "#app/http/endpoint/operation.server.ts";
import { unlimited } from "#app/http/guards/rate-limit.server.ts";
import { proxyRequesterOf } from "#app/http/pipeline/own-addresses.server.ts";
import { asOwnMedia } from "#app/http/sharing.ts";
import { posterFileWidths } from "#app/paths.ts";
import { areDetailsOn } from "#app/platform/site-settings.server.ts";
import { days, minutes, seconds } from "#app/platform/units.ts";

export const posterMiddleware = [
  unlimited(
    "A page shows dozens; posters have the admission of upstream requests and a budget of computing time",
  ),
];

/** While details are on, a title without a picture may get its cover at any moment. */
const lifetimeOf = (kind: keyof typeof lifetimes) =>
  lifetimes[kind === "drawn" && areDetailsOn() ? "stand_in" : kind];
const lifetimes = { picture: days(1), drawn: days(1), stand_in: minutes(10), sketch: seconds(10) } as const;

/** The poster of a title in one format. A letter after the id stands for a width, for clients that add no query. */
export const posterOperation = (format: PosterFormat) =>
  operation("GET", {
    tag: "Images",
    summary: `A title's poster as ${format === "jpeg" ? "JPEG" : "WebP"}, drawn if the title has no picture`,
    description: "The id alone, or with `t` for a small poster and `l` for a large one.",
    params: { id: z.union([z.int(), z.string().regex(/^\d{1,9}[tl]$/)]) },
    query: z.object({
      w: z.coerce.number().optional().catch(undefined),
      lang: z.enum(["en"]).optional().catch(undefined).meta({
        description:
          "The language of the name on a drawn poster; without it the catalog's own name, or the viewer's while a picture fails",
      }),
    }),
    sharing: asOwnMedia,
    admission: "upstream",
    answer: { bytes: format === "jpeg" ? ["image/jpeg"] : ["image/webp", "image/svg+xml"] },
    tagged: true,
    optionalSignIn: "session",
    refuses: ["not_found", "overloaded"],
    async handle({ params, query, request, context }) {
      const [, id, size = ""] = /^(\d{1,9})([tl]?)$/.exec(params.id ?? "") ?? [];
      if (id === undefined) throw fail("not_found", "No such title");
      const outcome = await titlePoster(Number(id), {
        widthPx: posterWidth(query.w ?? posterFileWidths[size as keyof typeof posterFileWidths]),
        format,
        lang: query.lang,
        viewerLang: async () => {
          const { preferences } = await getVisit(request, context);
          return preferences.titleLanguage === "english" ? "en" : undefined;
        },
        requester: proxyRequesterOf(context),
        maySeeLess: mayBeOfChild(request),
        viewer: async () => (await getVisit(request, context)).viewer,
      });
      if (!outcome.ok) return refusalResponse(outcome);
      if (outcome.value.isForOneViewer) return imageResponse(outcome.value, privateNoStore, context, 0);
      const lifetime = lifetimeOf(outcome.value.kind);
      return imageResponse(outcome.value, publicFor(lifetime), context, Math.min(lifetime, minutes(10)));
    },
  });

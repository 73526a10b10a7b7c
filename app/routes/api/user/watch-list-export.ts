import { z } from "zod";
import { exportFormats, exportList } from "#app/domain/library/library.server.ts";
import { answerDownload } from "#app/http/download.server.ts";
import { currentUser, memberOrToken } from "#app/http/guard.server.ts";
import { operation, serve } from "#app/http/operation.server.ts";
import { sameOrigin } from "#app/http/same-origin.server.ts";

export const middleware = [sameOrigin, memberOrToken];

const types = { xml: "application/xml; charset=utf-8", json: "application/json" } as const;

const download = operation("GET", {
  tag: "Watch list",
  summary: "The whole list as a file",
  description: "`xml` is MyAnimeList's format; `json` is our own and loses nothing.",
  query: z.object({ format: z.enum(exportFormats).default("json") }),
  answer: { bytes: ["application/xml", "application/json"] },
  handle: async ({ query: { format }, request, context }) =>
    answerDownload(exportList(currentUser(context).id, format), {
      type: types[format],
      name: `engawa-list.${format}`,
      request,
      context,
    }),
});

export const loader = serve(download);
export const action = loader;

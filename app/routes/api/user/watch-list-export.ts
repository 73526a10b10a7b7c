import { z } from "zod";
import { getCurrentUser, grownUp, memberOrToken } from "#app/access/guards/guard.server.ts";
import { limited } from "#app/access/limits.server.ts";
import { exportFormats, exportList } from "#app/domain/library/library.server.ts";
import { downloadResponse } from "#app/http/endpoint/long-answers.server.ts";
import { operation, serve } from "#app/http/endpoint/operation.server.ts";
import { sameOrigin } from "#app/http/guards/same-origin.server.ts";

export const middleware = [limited("user"), sameOrigin, memberOrToken, grownUp];

const files = {
  xml: { type: "application/xml; charset=utf-8", name: "engawa-list.xml" },
  json: { type: "application/json", name: "engawa-list.json" },
  anilist: { type: "application/json", name: "engawa-list-anilist.json" },
} as const;

const download = operation("GET", {
  tag: "Watch list",
  summary: "The whole list as a file",
  description:
    "`xml` is the format of MyAnimeList, `anilist` the answer of AniList's `MediaListCollection`; `json` is Engawa's format and holds every field.",
  query: z.object({ format: z.enum(exportFormats).default("json") }),
  answer: {
    bytes: ["application/xml", "application/json"],
    json: z.union([
      z.object({ format: z.string(), version: z.int(), entries: z.array(z.looseObject({})) }),
      z.object({ data: z.looseObject({}).meta({ id: "AniListAnswer" }) }),
    ]),
  },
  headers: ["Content-Disposition"],
  refuses: ["overloaded"],
  handle: async ({ query: { format }, request, context }) => {
    const user = getCurrentUser(context);
    return downloadResponse(exportList(user.id, format), {
      ...files[format],
      account: user.accountId,
      request,
      context,
    });
  },
});

export const loader = serve(download);
export const action = loader;

import { z } from "zod";
import { importReportObject, importReportOnWire } from "#app/api/import-report.server.ts";
import { switchInput } from "#app/api/input-aliases.server.ts";
import { importList, previewListImport, readUploadedList } from "#app/domain/library/library.server.ts";
import { getCurrentUser, memberOrToken } from "#app/http/access/guard.server.ts";
import { sameOrigin } from "#app/http/access/same-origin.server.ts";
import { operation, serve, succeed, success } from "#app/http/endpoint/operation.server.ts";
import { readUploadedFile } from "#app/http/endpoint/uploaded-file.server.ts";

export const middleware = [sameOrigin, memberOrToken];

const bring = operation("POST", {
  tag: "Watch list",
  summary: "Import a list file",
  description:
    "MyAnimeList XML, AniList JSON or our own JSON, gzipped or not: as `file` of a form, or as the body itself.",
  query: z.object({
    preview: switchInput.meta({ description: "1: only say what would change" }),
    scores: z.enum(["keep", "replace"]).default("keep"),
    dropped: switchInput.meta({ description: "1: dropped titles come in too" }),
  }),
  accepts: ["application/xml", "application/json", "application/gzip", "multipart/form-data"],
  answer: success(importReportObject),
  refuses: ["invalid", "too_large", "unsupported", "overloaded"],
  handle: async ({ query, request, context }) => {
    const file = await readUploadedFile(request, (bytes) =>
      readUploadedList(bytes, { withDropped: query.dropped }),
    );
    if (!file.ok) return file;
    const bringIn = query.preview ? previewListImport : importList;
    const how = { replaceScores: query.scores === "replace" };
    const report = await bringIn(getCurrentUser(context).id, file.value, how);
    return succeed(importReportOnWire(report));
  },
});

export const loader = serve(bring);
export const action = loader;

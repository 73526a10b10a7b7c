import { z } from "zod";
import { getCurrentUser, grownUp, memberOrToken } from "#app/access/guards/guard.server.ts";
import { limited } from "#app/access/limits.server.ts";
import { viewerOf } from "#app/access/viewer.server.ts";
import { importList, previewListImport, withUploadedList } from "#app/domain/library/library.server.ts";
import { reportResponse } from "#app/http/endpoint/long-answers.server.ts";
import { operation, serve, success } from "#app/http/endpoint/operation.server.ts";
import { readUploadedFile } from "#app/http/endpoint/uploaded-file.server.ts";
import { rawBytes } from "#app/http/endpoint/wire-schema.ts";
import { sameOrigin } from "#app/http/guards/same-origin.server.ts";
import { importReportObject, importReportOnWire } from "#app/wire/import-report.server.ts";
import { switchInput } from "#app/wire/input-aliases.server.ts";

export const middleware = [limited("user"), sameOrigin, memberOrToken, grownUp];

const importFile = operation("POST", {
  tag: "Watch list",
  summary: "Import a list file",
  description:
    "Takes MyAnimeList XML, AniList JSON or Engawa's JSON, gzipped or not, as `file` of a form or as the body.",
  query: z.object({
    preview: switchInput.meta({ description: "1: report what would change, and change nothing" }),
    scores: z.enum(["keep", "replace"]).default("keep"),
    dropped: switchInput.meta({
      description: "Accepted from earlier clients. Dropped titles are always imported",
    }),
  }),
  accepts: {
    "application/xml": z.string(),
    "application/json": z.union([z.looseObject({}), z.array(z.unknown())]),
    "application/gzip": rawBytes,
    "application/octet-stream": rawBytes,
    "multipart/form-data": z.object({ file: rawBytes }),
  },
  answer: success(importReportObject),
  refuses: ["invalid", "too_large", "unsupported", "overloaded", "disk_full"],
  handle: async ({ query, request, context }) => {
    const run = query.preview ? previewListImport : importList;
    const user = getCurrentUser(context);
    const options = { replaceScores: query.scores === "replace", viewer: viewerOf(user) };
    return readUploadedFile(request, context, async (uploaded) => {
      const { file: scratch, keepFor: keepFile } = uploaded;
      const report = await withUploadedList(uploaded, (list) => run(user.id, list, { ...options, scratch }));
      if (!report.ok) return report;
      return reportResponse(importReportOnWire(report.value), { context, keepFile });
    });
  },
});

export const loader = serve(importFile);
export const action = loader;

import { z } from "zod";
import { importList, previewImport, readUploadedList } from "#app/domain/library/library.server.ts";
import { currentUser, memberOrToken } from "#app/http/guard.server.ts";
import { importReport } from "#app/http/import-answer.server.ts";
import { operation, serve, succeed, success } from "#app/http/operation.server.ts";
import { sameOrigin } from "#app/http/same-origin.server.ts";
import { spelledSwitch } from "#app/http/spellings.server.ts";
import { readUploadedFile } from "#app/http/uploaded-file.server.ts";

export const middleware = [sameOrigin, memberOrToken];

const bring = operation("POST", {
  tag: "Watch list",
  summary: "Import a list file",
  description:
    "MyAnimeList XML, AniList JSON or our own JSON, gzipped or not: as `file` of a form, or as the body itself.",
  query: z.object({
    preview: spelledSwitch.meta({ description: "1: only say what would change" }),
    scores: z.enum(["keep", "replace"]).default("keep"),
    dropped: spelledSwitch.meta({ description: "1: dropped titles come in too" }),
  }),
  accepts: ["application/xml", "application/json", "application/gzip", "multipart/form-data"],
  answer: success(importReport),
  refuses: ["invalid", "too_large", "unsupported", "overloaded"],
  handle: async ({ query, request, context }) => {
    const file = await readUploadedFile(request, (bytes) =>
      readUploadedList(bytes, { withDropped: query.dropped }),
    );
    if (!file.ok) return file;
    const bringIn = query.preview ? previewImport : importList;
    const how = { replaceScores: query.scores === "replace" };
    return succeed(await bringIn(currentUser(context).id, file.value, how));
  },
});

export const loader = serve(bring);
export const action = loader;

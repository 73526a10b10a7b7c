import { z } from "zod";
import { mediaFolderSharing, requireFilm } from "#app/access/film-door.server.ts";
import { limited } from "#app/access/limits.server.ts";
import { isFilmSubtitleForm, openBitmaps, openSubtitles } from "#app/domain/playback/playback.server.ts";
import { privateFor } from "#app/http/cache-policy.server.ts";
import { signalIn } from "#app/http/context.server.ts";
import { applyCachePolicy } from "#app/http/endpoint/apply-cache-policy.server.ts";
import { fail } from "#app/http/endpoint/error-response.server.ts";
import { operation, serve } from "#app/http/endpoint/operation.server.ts";
import { respondWithNode } from "#app/http/server/node-body.server.ts";
import { unknownType } from "#app/platform/media-types.ts";
import { minutes } from "#app/platform/units.ts";

export const middleware = [limited("captions")];

/** The operator may correct a file under the same name. */
const policy = privateFor(minutes(1));
const types = {
  vtt: "text/vtt; charset=utf-8",
  ass: "text/x-ssa; charset=utf-8",
  sup: unknownType,
} as const;

const captions = operation("GET", {
  tag: "Images and video",
  summary: "Subtitles of an episode, from a file in MEDIA_DIR",
  description:
    "As `.vtt` they are WebVTT without styles, whatever the file is. As `.ass` they are the script itself, if the file is ASS or SSA. Pictures are `.sup`, and one of several languages in a file follows the id: `-2.sup`.",
  params: { file: z.string().describe("The id of the subtitles and `.vtt`, `.ass` or `.sup`") },
  query: z.object({}),
  sharing: mediaFolderSharing,
  answer: { bytes: ["text/vtt", "text/x-ssa", "application/octet-stream"] },
  tagged: true,
  optionalSignIn: "session or token",
  refuses: ["unauthorized", "not_found", "too_large", "overloaded"],
  async handle({ params, request, context }) {
    const [, id, stream, form] =
      /^([\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12})(?:-([1-9]\d?)(?=\.sup$))?\.(vtt|ass|sup)$/.exec(
        params.file ?? "",
      ) ?? [];
    if (id === undefined || !isFilmSubtitleForm(form)) throw fail("not_found", "No such subtitles");
    const { client } = await requireFilm(
      { kind: "subtitles", name: id },
      { request, context, pass: params.pass },
    );
    const signal = signalIn(context);
    const opened =
      form === "sup"
        ? await openBitmaps({ id, stream: Number(stream ?? 0), client, signal })
        : await openSubtitles({ id, form, client, signal });
    if (!opened.ok) return opened;
    const { bytes, tag } = opened.value;
    const headers = new Headers({
      "Content-Type": types[form],
      "Content-Length": String(bytes.length),
      ETag: tag,
    });
    applyCachePolicy(headers, policy, context);
    return respondWithNode(context, bytes, { headers });
  },
});

export const loader = serve(captions);
export const action = loader;

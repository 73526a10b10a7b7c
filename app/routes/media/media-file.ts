import { z } from "zod";
import { filmLimited, mediaFolderSharing, requireFilm } from "#app/access/film-door.server.ts";
import { findMediaFile } from "#app/domain/films/films.server.ts";
import { isSignedPicture } from "#app/domain/images/images.server.ts";
import { publicFor } from "#app/http/cache-policy.server.ts";
import { operation, serve } from "#app/http/endpoint/operation.server.ts";
import { decodedOrSame } from "#app/paths.ts";
import { hours } from "#app/platform/units.ts";
import { answerFilmFile } from "./film-answer.server.ts";

export const middleware = [filmLimited];

const file = operation("GET", {
  tag: "Images and video",
  summary: "A file of the operator's media folder (MEDIA_DIR) by its name",
  description: "Unless FILMS=everyone, members get the files of titles that they may see.",
  query: z.object({
    /** The signature in requests for posters that this process sends to itself. */
    picture: z.string().optional(),
  }),
  sharing: mediaFolderSharing,
  admission: "open",
  answer: { bytes: ["video/*", "audio/*", "text/vtt", "image/*", "application/octet-stream"] },
  ranges: true,
  tagged: true,
  optionalSignIn: "session or token",
  headers: ["Last-Modified"],
  refuses: ["unauthorized", "not_found", "overloaded"],
  async handle({ query, request, context }) {
    const { pathname } = new URL(request.url);
    const path = pathname.replace(/^\/+media\/+/i, "");
    const isPoster = query.picture !== undefined && isSignedPicture(pathname, query.picture);
    // A path that cannot be decoded matches no file.
    const opened = isPoster
      ? null
      : await requireFilm({ kind: "file", name: decodedOrSame(path) }, { request, context });
    const mediaFile = await findMediaFile(path);
    if (!mediaFile.ok) return mediaFile;
    const options = opened ? { isStillOpen: opened.isStillOpen } : { policy: posterPolicy };
    return answerFilmFile(mediaFile.value, { request, context, ...options });
  },
});

const posterPolicy = publicFor(hours(1));

export const loader = serve(file);
export const action = loader;

import type { Params } from "react-router";
import { z } from "zod";
import { mediaFolderSharing, requireFilm } from "#app/access/film-door.server.ts";
import type { Outcome } from "#app/domain/errors.ts";
import { noSuchFilmRefusal } from "#app/domain/films/films.server.ts";
import type { ServedFilm, ServedFilmRequest } from "#app/domain/playback/playback.server.ts";
import { signalIn } from "#app/http/context.server.ts";
import { operation } from "#app/http/endpoint/operation.server.ts";
import { playlistType } from "#app/platform/media-types.ts";
import { answerFilmFile, answerPlaylist } from "./film-answer.server.ts";

type Declaration = {
  summary: string;
  params: Record<string, z.ZodType>;
  /** `path` is the path of the film's file. */
  open(path: string, params: Params, request: ServedFilmRequest): Promise<Outcome<ServedFilm>>;
};

/** The operation for a film's file, and for the files that its playlist names. Both check the same permission. */
export const filmOperation = ({ summary, params, open }: Declaration) =>
  operation("GET", {
    tag: "Images and video",
    summary,
    description: "Unless FILMS=everyone, only for members who may see the title.",
    params,
    query: z.object({
      /** The values of a playlist's variables, in the addresses that the playlist names. */
      define: z.string().optional(),
    }),
    sharing: mediaFolderSharing,
    admission: "open",
    answer: { bytes: ["video/*", "audio/*", "text/vtt", playlistType, "application/octet-stream"] },
    ranges: true,
    tagged: true,
    optionalSignIn: "session or token",
    headers: ["Last-Modified"],
    refuses: ["unauthorized", "not_found", "too_large", "overloaded"],
    async handle({ params, request, context }) {
      const film = z.uuid().safeParse(params.film);
      if (!film.success) return noSuchFilmRefusal;
      const { file, client, isStillOpen } = await requireFilm(
        { kind: "film", name: film.data },
        { request, context, pass: params.pass },
      );
      const opened = await open(file, params, {
        film: film.data,
        definitions: new URL(request.url).searchParams.getAll("define"),
        client,
        signal: signalIn(context),
      });
      if (!opened.ok) return opened;
      return opened.value.kind === "file"
        ? answerFilmFile(opened.value.file, { request, context, isStillOpen })
        : answerPlaylist(opened.value.playlist, { request, context });
    },
  });

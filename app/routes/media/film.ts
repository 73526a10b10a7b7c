import { z } from "zod";
import { filmLimited } from "#app/access/film-door.server.ts";
import { readServedFilm } from "#app/domain/playback/playback.server.ts";
import { serve } from "#app/http/endpoint/operation.server.ts";
import { filmOperation } from "./film-operation.server.ts";

export const middleware = [filmLimited];

const film = filmOperation({
  summary: "A film of MEDIA_DIR as it is",
  params: { film: z.uuid() },
  open: (path, _params, request) => readServedFilm(path, request),
});

export const loader = serve(film);
export const action = loader;

import { z } from "zod";
import { filmLimited } from "#app/access/film-door.server.ts";
import { readServedPart } from "#app/domain/playback/playback.server.ts";
import { serve } from "#app/http/endpoint/operation.server.ts";
import { filmOperation } from "./film-operation.server.ts";

export const middleware = [filmLimited];

const part = filmOperation({
  summary: "A file that the playlist of a film in MEDIA_DIR names",
  params: { film: z.uuid(), part: z.string() },
  open: (path, { part: name = "" }, request) => readServedPart(path, name, request),
});

export const loader = serve(part);
export const action = loader;

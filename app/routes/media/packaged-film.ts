import type { Readable } from "node:stream";
import { z } from "zod";
import { filmLimited, filmSharing, requireFilm } from "#app/access/film-door.server.ts";
import { done, type Outcome } from "#app/domain/errors.ts";
import { noSuchFilmRefusal } from "#app/domain/films/films.server.ts";
import {
  isFilmSubtitleForm,
  openFilmFont,
  type PartAddress,
  prepareFilm,
  readFilmSubtitles,
  readPackagedPart,
} from "#app/domain/playback/playback.server.ts";
import { privateFor } from "#app/http/cache-policy.server.ts";
import { signalIn } from "#app/http/context.server.ts";
import { applyCachePolicy } from "#app/http/endpoint/apply-cache-policy.server.ts";
import { operation, serve } from "#app/http/endpoint/operation.server.ts";
import { respondWithNode } from "#app/http/server/node-body.server.ts";
import { playlistType, unknownType } from "#app/platform/media-types.ts";
import { hours } from "#app/platform/units.ts";
import { filmSegments } from "./film-segments.server.ts";

export const middleware = [filmLimited];

/** The address names the version of the file, so a part never changes. */
const partPolicy = privateFor(hours(24));

const part = operation("GET", {
  tag: "Images and video",
  summary: "A part of a film: a playlist or a segment of it as HLS, its subtitles or a font",
  description:
    "`main.m3u8` is the multivariant playlist; the others are named in it. `s3.vtt` is the text of subtitle track 3, `s3.ass` its script, `s3.sup` its pictures. `prepared` is empty, and answers 503 until a film that has to be converted as a whole is prepared. The version changes with the file of the film.",
  params: { film: z.uuid(), version: z.string(), name: z.string() },
  query: z.object({}),
  sharing: filmSharing,
  admission: "upstream",
  answer: {
    bytes: [playlistType, "video/mp4", "audio/mp4", "text/vtt", "text/x-ssa", unknownType, "font/*"],
  },
  tagged: true,
  optionalSignIn: "session or token",
  refuses: ["unauthorized", "not_found", "too_large", "upstream_failed", "overloaded", "disk_full"],
  async handle({ params, request, context }) {
    const film = z.uuid().safeParse(params.film);
    if (!film.success) return noSuchFilmRefusal;
    const { version = "", name = "" } = params;
    const { client } = await requireFilm(
      { kind: "film", name: film.data },
      { request, context, pass: params.pass },
    );
    const requester = { client, signal: signalIn(context) };
    const wanted = { film: film.data, version, name };
    const sent = filmSegments.findSent(nameOf(wanted));
    const filmPart = sent ? done(sent) : await readPart(wanted, requester);
    if (!filmPart.ok) return filmPart;
    const { type, size, body } = filmPart.value;
    const headers = new Headers({
      "Content-Type": type,
      "Content-Length": String(size),
      ETag: `"${version}-${name}"`,
    });
    applyCachePolicy(headers, partPolicy, context);
    return request.method === "HEAD"
      ? new Response(null, { headers })
      : respondWithNode(context, body(client), { headers });
  },
});

type Part = { type: string; size: number; body(client: string): Buffer | Readable };

const nameOf = ({ film, version, name }: PartAddress) => `${film} ${version} ${name}`;

async function readPart(
  wanted: PartAddress,
  requester: Parameters<typeof readPackagedPart>[1],
): Promise<Outcome<Part>> {
  const [, font] = /^font-(\d{1,4})$/.exec(wanted.name) ?? [];
  if (font !== undefined) {
    const openedFont = await openFilmFont({ ...wanted, font: Number(font) }, requester.client);
    return openedFont.ok ? done({ ...openedFont.value, body: openedFont.value.read }) : openedFont;
  }
  if (wanted.name === "prepared") {
    const prepared = await prepareFilm(wanted, requester.client);
    return prepared.ok ? done({ type: unknownType, size: 0, body: () => Buffer.alloc(0) }) : prepared;
  }
  const [, track, form] = /^s(\d{1,8})\.(vtt|ass|sup)$/.exec(wanted.name) ?? [];
  const filmPart =
    track !== undefined && isFilmSubtitleForm(form)
      ? await readFilmSubtitles({ ...wanted, track: Number(track), form }, requester)
      : await readPackagedPart(wanted, requester);
  if (!filmPart.ok) return filmPart;
  const { type, bytes, isImmutable = false } = filmPart.value;
  const whole = { name: nameOf(wanted), type, isImmutable, bytes };
  return done({
    type,
    size: bytes.length,
    body: (client) => filmSegments.send(whole, client),
  });
}

export const loader = serve(part);
export const action = loader;

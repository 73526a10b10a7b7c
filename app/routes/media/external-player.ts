import { z } from "zod";
import { filmLimited, requireFilm } from "#app/access/film-door.server.ts";
import { signFilmPath } from "#app/access/film-pass.server.ts";
import { findUserOrTokenUser } from "#app/access/guards/guard.server.ts";
import { noSuchFilmRefusal } from "#app/domain/films/films.server.ts";
import { cacheHeaders, privateNoStore } from "#app/http/cache-policy.server.ts";
import { clientContext } from "#app/http/context.server.ts";
import { operation, serve } from "#app/http/endpoint/operation.server.ts";
import { filmPath } from "#app/paths.ts";

export const middleware = [filmLimited];

const type = "audio/x-mpegurl";

const playlist = operation("GET", {
  tag: "Images and video",
  summary: "A playlist that opens a film of MEDIA_DIR in a player outside of the browser",
  description: "For members the address in it is signed: it works without a session for 12 hours.",
  params: { film: z.uuid() },
  query: z.object({
    name: z.string().max(200).default("Film").describe("What the player calls the film"),
  }),
  optionalSignIn: "session or token",
  answer: { bytes: [type] },
  headers: ["Content-Disposition"],
  refuses: ["unauthorized", "not_found"],
  async handle({ query, params, request, context }) {
    const film = z.uuid().safeParse(params.film);
    if (!film.success) return noSuchFilmRefusal;
    await requireFilm({ kind: "film", name: film.data }, { request, context });
    const user = await findUserOrTokenUser(request, context);
    const path = filmPath(film.data);
    const address = context.get(clientContext).origin + (user ? signFilmPath(path, user) : path);
    const name = query.name.replaceAll(/\p{Cc}/gu, " ");
    const headers = { "Content-Type": type, ...cacheHeaders(privateNoStore) };
    return new Response(`#EXTM3U\n#EXTINF:-1,${name}\n${address}\n`, {
      headers: { ...headers, "Content-Disposition": 'attachment; filename="film.m3u"' },
    });
  },
});

export const loader = serve(playlist);
export const action = loader;

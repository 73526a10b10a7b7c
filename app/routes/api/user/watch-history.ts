import { z } from "zod";
import { getCurrentUser, memberOrToken } from "#app/access/guards/guard.server.ts";
import { limited } from "#app/access/limits.server.ts";
import { viewerOf } from "#app/access/viewer.server.ts";
import { deleteWatchHistory, listWatchHistory } from "#app/domain/library/library.server.ts";
import { clientContext } from "#app/http/context.server.ts";
import { messageObject, operation, serve, succeed, success } from "#app/http/endpoint/operation.server.ts";
import { describedAs, integer } from "#app/http/endpoint/wire-schema.ts";
import { sameOrigin } from "#app/http/guards/same-origin.server.ts";
import { episodeInput, idInput, requireSelectorInQuery } from "#app/wire/input-aliases.server.ts";
import { posterUrlOnWire } from "#app/wire/title-json.server.ts";
import { historyEndInput, watchedId, watchedIdInput } from "#app/wire/watch-history.server.ts";

export const middleware = [limited("user"), sameOrigin, memberOrToken];

const tag = "Watching";

const watched = z
  .object({
    id: z.string(),
    mal_id: z.int(),
    title: z.string(),
    image: z.string(),
    ep: z.int(),
    episode_title: z.string().nullable(),
    watched_at: z.string(),
  })
  .meta({ id: "WatchedEpisode" });

const list = operation("GET", {
  tag,
  summary: "Watched episodes, newest first",
  description:
    "For the next page, send `before` and `id` of the last episode. Without the id, episodes that share its instant are left out.",
  query: z
    .object({
      before: historyEndInput
        .optional()
        .meta({ description: "The last `watched_at` of the previous page, also with `,` and the last `id`" }),
      id: watchedIdInput.optional().meta({ description: "The last `id` of the previous page" }),
      limit: z.coerce.number().int().min(1).max(200).default(50),
    })
    .refine(({ before, id }) => before !== undefined || id === undefined, {
      path: ["before"],
      message: "is required with id",
    }),
  answer: success(z.array(watched)),
  handle: async ({ query, context }) => {
    const user = getCurrentUser(context);
    const { origin } = context.get(clientContext);
    const { id, limit } = query;
    const before = query.before && { ...query.before, ...(id && { episode: id }) };
    const episodes = await listWatchHistory(user.id, { before, limit, viewer: viewerOf(user) });
    return succeed(
      episodes.map(({ malId, title, imageWebp, ep, episodeTitle, watchedAt }) => ({
        id: watchedId({ malId, ep }),
        mal_id: malId,
        title,
        image: posterUrlOnWire(malId, imageWebp, origin),
        ep,
        episode_title: episodeTitle,
        watched_at: watchedAt.toISOString(),
      })),
    );
  },
});

const remove = operation("DELETE", {
  tag,
  summary: "Delete the whole history, a title or one episode",
  description:
    "Also deletes the resume points of those episodes. A body with fields is refused: the query names what to delete.",
  // Strict: ignoring a misspelled parameter would delete more than the request meant.
  query: z
    .strictObject({
      mal_id: describedAs(idInput, integer(1)).optional(),
      ep: describedAs(episodeInput, integer(1)).optional(),
    })
    .refine(({ mal_id, ep }) => ep === undefined || mal_id !== undefined, {
      path: ["mal_id"],
      message: "is required with ep",
    }),
  answer: success(messageObject),
  handle: async ({ query, request, context }) => {
    await requireSelectorInQuery(request, "mal_id", "ep");
    await deleteWatchHistory(getCurrentUser(context).id, { malId: query.mal_id, episode: query.ep });
    return succeed({ message: "Removed from the history" });
  },
});

export const loader = serve(list, remove);
export const action = loader;

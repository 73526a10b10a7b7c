import { z } from "zod";
import { getCurrentUser, memberOrToken } from "#app/access/guards/guard.server.ts";
import { limited } from "#app/access/limits.server.ts";
import { viewerOf } from "#app/access/viewer.server.ts";
import { listUpNext } from "#app/domain/discovery/discovery.server.ts";
import { clientContext } from "#app/http/context.server.ts";
import { operation, serve, succeed, success } from "#app/http/endpoint/operation.server.ts";
import { sameOrigin } from "#app/http/guards/same-origin.server.ts";
import { cardPictureWidthPx, posterUrlOnWire } from "#app/wire/title-json.server.ts";

export const middleware = [limited("user"), sameOrigin, memberOrToken];

const card = z
  .object({
    kind: z.enum(["in_the_middle", "next_episode", "next_title"]),
    mal_id: z.int(),
    title: z.string(),
    image: z.string(),
    ep: z.int(),
    episode_title: z.string().nullable(),
    position: z.number(),
    duration: z.number().nullable(),
    playable: z.boolean(),
    after: z.int().nullable().meta({ description: "For `next_title`: the finished title before it" }),
    updated_at: z.string(),
  })
  .meta({ id: "UpNext" });

const list = operation("GET", {
  tag: "Watching",
  summary: "What to watch next, last changed first",
  description:
    "An episode that the user left in the middle, the episode after the last one seen, or the sequel of a finished title. Each title and each franchise appears once. Titles on hold and dropped titles are left out.",
  query: z.object({ limit: z.coerce.number().int().min(1).max(100).default(20) }),
  answer: success(z.array(card)),
  handle: async ({ query, context }) => {
    const user = getCurrentUser(context);
    const { origin } = context.get(clientContext);
    const cards = await listUpNext(user.id, { ...query, viewer: viewerOf(user) });
    return succeed(
      cards.map(({ title, episode, episodeTitle, episodeImage: _, isPlayable, changedAt, ...same }) => ({
        ...same,
        mal_id: title.malId,
        title: title.title,
        image: posterUrlOnWire(title.malId, title.imageWebp, origin, cardPictureWidthPx),
        ep: episode,
        episode_title: episodeTitle,
        playable: isPlayable,
        updated_at: changedAt,
      })),
    );
  },
});

export const loader = serve(list);
export const action = loader;

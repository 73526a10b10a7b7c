import { z } from "zod";
import { getCurrentUser, memberOrToken } from "#app/access/guards/guard.server.ts";
import { limited } from "#app/access/limits.server.ts";
import { viewerOf } from "#app/access/viewer.server.ts";
import { listContinueWatching } from "#app/domain/discovery/discovery.server.ts";
import { clientContext } from "#app/http/context.server.ts";
import { operation, serve, succeed, success } from "#app/http/endpoint/operation.server.ts";
import { sameOrigin } from "#app/http/guards/same-origin.server.ts";
import { cardPictureWidthPx, posterUrlOnWire } from "#app/wire/title-json.server.ts";

export const middleware = [limited("user"), sameOrigin, memberOrToken];

const row = z
  .object({
    mal_id: z.int(),
    title: z.string(),
    image: z.string(),
    ep: z.int(),
    episode_title: z.string().nullable(),
    position: z.number(),
    duration: z.number(),
    updated_at: z.string(),
  })
  .meta({ id: "ContinueWatching" });

const list = operation("GET", {
  tag: "Watching",
  summary: "Episodes to continue with, latest first",
  description: "One row for each title. After a finished episode, the row is the next one.",
  query: z.object({ limit: z.coerce.number().int().min(1).max(100).default(20) }),
  answer: success(z.array(row)),
  handle: async ({ query, context }) => {
    const user = getCurrentUser(context);
    const { origin } = context.get(clientContext);
    const rows = await listContinueWatching(user.id, { ...query, viewer: viewerOf(user) });
    return succeed(
      rows.map(({ malId, title, imageWebp, ep, episodeTitle, position, duration, updatedAt }) => ({
        mal_id: malId,
        title,
        image: posterUrlOnWire(malId, imageWebp, origin, cardPictureWidthPx),
        ep,
        episode_title: episodeTitle,
        position,
        duration,
        updated_at: updatedAt,
      })),
    );
  },
});

export const loader = serve(list);
export const action = loader;

import { z } from "zod";
import { limited } from "#app/api/access/limits.server.ts";
import { viewerOf } from "#app/api/access/viewer.server.ts";
import { cardPictureWidthPx, posterUrlsOnWire } from "#app/api/title-json.server.ts";
import { listContinueWatching } from "#app/domain/discovery/discovery.server.ts";
import { getCurrentUser, memberOrToken } from "#app/http/access/guard.server.ts";
import { sameOrigin } from "#app/http/access/same-origin.server.ts";
import { clientContext } from "#app/http/context.server.ts";
import { operation, serve, succeed, success } from "#app/http/endpoint/operation.server.ts";

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
        image: posterUrlsOnWire(malId, imageWebp, origin, cardPictureWidthPx),
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

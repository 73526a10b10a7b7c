import { z } from "zod";
import { mayShowMature } from "#app/domain/accounts/accounts.ts";
import { posterOnWire } from "#app/domain/catalog/catalog.server.ts";
import { listContinueWatching } from "#app/domain/library/library.server.ts";
import { clientContext } from "#app/http/context.server.ts";
import { currentUser, memberOrToken } from "#app/http/guard.server.ts";
import { operation, serve, succeed, success } from "#app/http/operation.server.ts";
import { sameOrigin } from "#app/http/same-origin.server.ts";

export const middleware = [sameOrigin, memberOrToken];

const pictureWidthPx = 320;

const row = z.object({
  mal_id: z.int(),
  title: z.string(),
  image: z.string(),
  ep: z.int(),
  episode_title: z.string().nullable(),
  position: z.number(),
  duration: z.number(),
  updated_at: z.string(),
});

const list = operation("GET", {
  tag: "Watching",
  summary: "What to go on with, latest first",
  description: "One row a title; an episode that is finished gives the next one.",
  query: z.object({ limit: z.coerce.number().int().min(1).max(100).default(20) }),
  answer: success(z.array(row)),
  handle: async ({ query, context }) => {
    const user = currentUser(context);
    const { origin } = context.get(clientContext);
    const rows = await listContinueWatching(user.id, { ...query, showMature: mayShowMature(user) });
    return succeed(
      rows.map(({ malId, title, imageWebp, ep, episodeTitle, position, duration, updatedAt }) => ({
        mal_id: malId,
        title,
        image: posterOnWire(malId, imageWebp, origin, pictureWidthPx),
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

import { z } from "zod";
import {
  deleteSearches,
  listSearches,
  recordSearch,
  searchesKept,
} from "#app/domain/library/library.server.ts";
import { currentUser, memberOrToken } from "#app/http/guard.server.ts";
import { message, operation, serve, succeed, success } from "#app/http/operation.server.ts";
import { sameOrigin } from "#app/http/same-origin.server.ts";
import { refuseEmpty, spelledMoment } from "#app/http/spellings.server.ts";

export const middleware = [sameOrigin, memberOrToken];

const tag = "Search history";
const search = z.object({ id: z.string(), user_id: z.string(), query: z.string(), timestamp: z.string() });

const list = operation("GET", {
  tag,
  summary: "Searches, newest first",
  query: z.object({ limit: z.coerce.number().int().min(1).max(searchesKept).default(searchesKept) }),
  answer: success(z.array(search)),
  handle: async ({ query, context }) => {
    const searches = await listSearches(currentUser(context).id, query.limit);
    return succeed(
      searches.map(({ userId, searchedAt, ...same }) => ({
        ...same,
        user_id: userId,
        timestamp: searchedAt.toISOString(),
      })),
    );
  },
});

const record = operation("POST", {
  tag,
  summary: "Record a search",
  description: "Not recorded, and told so, when the user has turned this off.",
  body: z.object({ query: z.string().trim().min(1).max(1000), timestamp: spelledMoment.optional() }),
  answer: success(message),
  handle: async ({ body, context }) => {
    const isRecorded = await recordSearch(currentUser(context).id, body.query, body.timestamp ?? null);
    return succeed({
      message: isRecorded ? "Search recorded" : "Not recorded: search history is turned off",
    });
  },
});

const clear = operation("DELETE", {
  tag,
  summary: "Forget all searches, or one",
  // A name that is not known here was meant to narrow it.
  query: z.strictObject({ id: z.guid().optional() }),
  answer: success(message),
  handle: async ({ query, request, context }) => {
    refuseEmpty(request, "id");
    await deleteSearches(currentUser(context).id, query.id);
    return succeed({ message: query.id ? "Search removed" : "Search history cleared" });
  },
});

export const loader = serve(list, record, clear);
export const action = loader;

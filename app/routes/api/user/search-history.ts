import { z } from "zod";
import { getCurrentUser, grownUp, memberOrToken } from "#app/access/guards/guard.server.ts";
import { limited } from "#app/access/limits.server.ts";
import {
  deleteSearches,
  listSearchPages,
  maxSearches,
  recordSearch,
} from "#app/domain/library/library.server.ts";
import { listResponse } from "#app/http/endpoint/long-answers.server.ts";
import { messageObject, operation, serve, succeed, success } from "#app/http/endpoint/operation.server.ts";
import { sameOrigin } from "#app/http/guards/same-origin.server.ts";
import { requireSelectorInQuery, timeInput } from "#app/wire/input-aliases.server.ts";

export const middleware = [limited("user"), sameOrigin, memberOrToken, grownUp];

const tag = "Search history";
const search = z
  .object({ id: z.string(), user_id: z.string(), query: z.string(), timestamp: z.string() })
  .meta({ id: "Search" });

const list = operation("GET", {
  tag,
  summary: "Searches, newest first",
  query: z.object({ limit: z.coerce.number().int().min(1).max(maxSearches).default(maxSearches) }),
  answer: success(z.array(search)),
  refuses: ["overloaded"],
  handle: async ({ query, request, context }) => {
    const user = getCurrentUser(context);
    return listResponse(
      listSearchPages(user.id, query.limit),
      ({ userId, searchedAt, ...fields }): z.input<typeof search> => ({
        ...fields,
        user_id: userId,
        timestamp: searchedAt.toISOString(),
      }),
      { account: user.accountId, request, context },
    );
  },
});

const recordMessages = {
  recorded: "Search recorded",
  "turned off": "Not recorded: search history is turned off",
  "too old": `Not recorded: ${maxSearches} newer searches are recorded`,
};

const record = operation("POST", {
  tag,
  summary: "Record a search",
  description: `Records nothing if the user has turned search history off, or if ${maxSearches} newer searches are recorded. The message says so.`,
  body: z.object({ query: z.string().trim().min(1).max(1000), timestamp: timeInput.optional() }),
  answer: success(messageObject),
  handle: async ({ body, context }) => {
    const outcome = await recordSearch(getCurrentUser(context).id, body.query, body.timestamp ?? null);
    return succeed({ message: recordMessages[outcome] });
  },
});

const clear = operation("DELETE", {
  tag,
  summary: "Delete all searches, or one",
  description: "A body with fields is refused: the query names the one search.",
  // Strict: ignoring a misspelled parameter would delete more than the request meant.
  query: z.strictObject({ id: z.guid().optional() }),
  answer: success(messageObject),
  handle: async ({ query, request, context }) => {
    await requireSelectorInQuery(request, "id");
    await deleteSearches(getCurrentUser(context).id, query.id);
    return succeed({ message: query.id ? "Search removed" : "Search history cleared" });
  },
});

export const loader = serve(list, record, clear);
export const action = loader;

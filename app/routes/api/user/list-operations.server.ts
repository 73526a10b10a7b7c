import { z } from "zod";
import { getCurrentUser } from "#app/access/guards/guard.server.ts";
import { viewerOf } from "#app/access/viewer.server.ts";
import { maxEpisodeNumber } from "#app/domain/catalog/catalog.ts";
import { type EntryWithNote, editList, listEntryPages } from "#app/domain/library/library.server.ts";
import { entryStates, listStatuses } from "#app/domain/library/library.ts";
import { clientContext } from "#app/http/context.server.ts";
import { listResponse } from "#app/http/endpoint/long-answers.server.ts";
import { messageObject, operation, succeed, success } from "#app/http/endpoint/operation.server.ts";
import { snakeCaseCopier, toCamelCase, toSnakeCase } from "#app/platform/snake-case.ts";
import { titleIdInput, wordInput } from "#app/wire/input-aliases.server.ts";
import { entryAnswer, entryInput } from "#app/wire/list-entry.server.ts";
import { cardPictureWidthPx, posterUrlOnWire } from "#app/wire/title-json.server.ts";

/** The operations of the watch list. `/api/user/watchList` has all of them; each alias path has one. */

const tag = "Watch list";

const entry = z
  .object({
    id: z.string(),
    user_id: z.string(),
    anime_id: z.string(),
    mal_id: z.int(),
    type: z.enum(listStatuses),
    state: z.enum(entryStates).nullable().meta({
      description: "`on_hold` and `rewatching` go with the type Watching, `dropped` with Collection",
    }),
    title: z.string(),
    imageUrl: z.string(),
    image_webp: z.string(),
    rating: z.number().nullable().meta({ description: "The title's score in the catalog" }),
    episodes: z.int().nullable(),
    genres: z.array(z.string()),
    status: z.string(),
    year: z.int().nullable(),
    progress: z.int().meta({ description: "The highest episode that the member has ticked" }),
    ...toSnakeCase(entryAnswer),
    rewatch_progress: entryAnswer.rewatchProgress.meta({
      description: "The last episode of the present rewatch",
    }),
    score: entryAnswer.score.meta({ description: "The member's own score" }),
    added_at: z.string(),
    updated_at: z.string(),
  })
  .meta({ id: "WatchListEntry" });

export const listEndpoint = operation("GET", {
  tag,
  summary: "The watch list, newest change first",
  query: z.object({ type: wordInput(listStatuses).optional() }),
  answer: success(z.array(entry)),
  refuses: ["overloaded"],
  handle: async ({ query, request, context }) => {
    const user = getCurrentUser(context);
    const nextPage = listEntryPages(user.id, { type: query.type, viewer: viewerOf(user) });
    const { origin } = context.get(clientContext);
    return listResponse(nextPage, (listed) => onWire(listed, user.id, origin), {
      account: user.accountId,
      request,
      context,
    });
  },
});

const copyFields = snakeCaseCopier(Object.keys(entry.shape) as (keyof typeof entry.shape)[]);

function onWire(listed: EntryWithNote, userId: string, origin: string): z.input<typeof entry> {
  const { malId } = listed;
  return {
    ...copyFields({ ...listed, userId, animeId: String(malId), rating: listed.titleScore }),
    imageUrl: posterUrlOnWire(malId, listed.imageUrl, origin, cardPictureWidthPx),
    image_webp: posterUrlOnWire(malId, listed.imageWebp, origin, cardPictureWidthPx),
    added_at: listed.addedAt.toISOString(),
    updated_at: listed.updatedAt.toISOString(),
  };
}

const change = titleIdInput.and(
  z.object({
    type: wordInput(listStatuses),
    state: wordInput(entryStates).nullable().optional().meta({
      description:
        "Decides the type. Without it, a type that does not go with the present state sets the state to null.",
    }),
    progress: z
      .int()
      .min(0)
      .max(maxEpisodeNumber)
      .optional()
      .meta({ description: "Ticks all episodes up to this one, and no others" }),
    ...z.object(toSnakeCase(entryInput)).partial().shape,
  }),
);

const saved = z
  .object({
    message: z.string(),
    offers_completed: z
      .boolean()
      .meta({ description: "True when the last episode is seen and the entry is not Completed" }),
  })
  .meta({ id: "SavedEntry" });

/** POST and PUT do the same: they create the entry or update it. */
const save = (method: "POST" | "PUT") =>
  operation(method, {
    tag,
    summary: method === "POST" ? "Add a title to the watch list" : "Change an entry",
    description: "Fields that are not sent keep their value.",
    body: change,
    answer: success(saved),
    refuses: ["not_found"],
    handle: async ({ body, context }) => {
      const user = getCurrentUser(context);
      const edited = await editList(user.id, { kind: "save", ...toCamelCase(body) }, viewerOf(user));
      if (!edited.ok) return edited;
      const { savedType, offersCompleted } = edited.value;
      return succeed({
        message: `Added to ${savedType ?? body.type}`,
        offers_completed: offersCompleted !== null,
      });
    },
  });

export const addEntryEndpoint = save("POST");
export const updateEntryEndpoint = save("PUT");

export const removeEntryEndpoint = operation("DELETE", {
  tag,
  summary: "Remove a title from the watch list",
  description: "Removing a title that is not on the list succeeds.",
  body: titleIdInput,
  answer: success(messageObject),
  handle: async ({ body, context }) => {
    const user = getCurrentUser(context);
    const edit = { kind: "remove" as const, ids: [body.malId] };
    await editList(user.id, edit, viewerOf(user));
    return succeed({ message: "Removed from the list" });
  },
});

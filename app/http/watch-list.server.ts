import { z } from "zod";
import { mayShowMature } from "../domain/accounts/accounts.ts";
import { posterOnWire } from "../domain/catalog/catalog.server.ts";
import { mostEpisodes } from "../domain/catalog/catalog.ts";
import {
  deleteListEntry,
  type ListedEntry,
  listEntries,
  saveListEntry,
} from "../domain/library/library.server.ts";
import { collectionTypes } from "../domain/library/library.ts";
import { clientContext } from "./context.server.ts";
import { currentUser } from "./guard.server.ts";
import { operation, succeed, success } from "./operation.server.ts";
import { aboutTitle, spelledDate, spelledWord } from "./spellings.server.ts";

/** What can be asked of the watch list: all of it at its own address, one thing at each of its aliases. */

const tag = "Watch list";
const pictureWidthPx = 320;

const entry = z.object({
  id: z.string(),
  user_id: z.string(),
  anime_id: z.string(),
  mal_id: z.int(),
  type: z.enum(collectionTypes),
  title: z.string(),
  imageUrl: z.string(),
  image_webp: z.string(),
  rating: z.number().nullable().meta({ description: "The title's score in the catalog" }),
  episodes: z.int().nullable(),
  genres: z.array(z.string()),
  status: z.string(),
  year: z.int().nullable(),
  progress: z.int(),
  score: z.number().nullable().meta({ description: "The user's own" }),
  notes: z.string(),
  started_on: z.string().nullable(),
  finished_on: z.string().nullable(),
  added_at: z.string(),
  updated_at: z.string(),
});

export const readList = operation("GET", {
  tag,
  summary: "The list, newest change first",
  query: z.object({ type: spelledWord(collectionTypes).optional() }),
  answer: success(z.array(entry)),
  handle: async ({ query, context }) => {
    const user = currentUser(context);
    const entries = await listEntries(user.id, { type: query.type, showMature: mayShowMature(user) });
    const { origin } = context.get(clientContext);
    return succeed(entries.map((listed) => onWire(listed, user.id, origin)));
  },
});

function onWire(listed: ListedEntry, userId: string, origin: string): z.input<typeof entry> {
  const { malId } = listed;
  return {
    id: listed.id,
    user_id: userId,
    anime_id: String(malId),
    mal_id: malId,
    type: listed.type,
    title: listed.title,
    imageUrl: posterOnWire(malId, listed.imageUrl, origin, pictureWidthPx),
    image_webp: posterOnWire(malId, listed.imageWebp, origin, pictureWidthPx),
    rating: listed.rating,
    episodes: listed.episodes,
    genres: listed.genres,
    status: listed.status,
    year: listed.year,
    progress: listed.progress,
    score: listed.score,
    notes: listed.notes,
    started_on: listed.startedOn,
    finished_on: listed.finishedOn,
    added_at: listed.addedAt.toISOString(),
    updated_at: listed.updatedAt.toISOString(),
  };
}

const change = aboutTitle.and(
  z.object({
    type: spelledWord(collectionTypes),
    progress: z.int().min(0).max(mostEpisodes).optional().meta({ description: "Episodes seen" }),
    score: z.number().min(0).max(10).nullable().optional(),
    notes: z.string().max(10_000).optional(),
    started_on: spelledDate.nullable().optional(),
    finished_on: spelledDate.nullable().optional(),
  }),
);

const saved = z.object({
  message: z.string(),
  offers_completed: z.boolean().meta({ description: "The last episode is seen: worth asking" }),
});

/** POST and PUT alike: an entry is put where the caller wants it, whether it was there or not. */
const save = (method: "POST" | "PUT") =>
  operation(method, {
    tag,
    summary: method === "POST" ? "Put a title on the list" : "Change an entry",
    description: "What is not sent stays as it is.",
    body: change,
    answer: success(saved),
    refuses: ["not_found"],
    handle: async ({ body, context }) => {
      const { started_on: startedOn, finished_on: finishedOn, ...same } = body;
      const outcome = await saveListEntry(currentUser(context).id, { ...same, startedOn, finishedOn });
      if (!outcome.ok) return outcome;
      const { type, offersCompleted } = outcome.value;
      return succeed({ message: `Added to ${type}`, offers_completed: offersCompleted });
    },
  });

export const addEntry = save("POST");
export const updateEntry = save("PUT");

export const removeEntry = operation("DELETE", {
  tag,
  summary: "Take a title off the list",
  description: "Removing what is not there is a success.",
  body: aboutTitle,
  answer: success(z.object({ message: z.string() })),
  handle: async ({ body, context }) => {
    await deleteListEntry(currentUser(context).id, body.malId);
    return succeed({ message: "Removed from the list" });
  },
});

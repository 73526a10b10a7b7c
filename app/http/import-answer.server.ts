import { z } from "zod";
import { collectionTypes } from "../domain/library/library.ts";

/** What an import of a list did, or would do. */

const named = z.object({ mal_id: z.int(), title: z.string() });
const told = z.object({
  type: z.enum(collectionTypes),
  progress: z.int(),
  score: z.number().nullable(),
});

export const importReport = z.object({
  added: z.array(named.extend(told.shape)),
  changed: z.array(named.extend({ fields: z.array(z.string()), before: told, after: told })),
  unchanged: z.array(named),
  unmatched: z.array(z.object({ mal_id: z.int().nullable(), title: z.string().nullable(), why: z.string() })),
  undo: z.string().nullable().meta({ description: "Takes the import back; null when nothing changed" }),
});

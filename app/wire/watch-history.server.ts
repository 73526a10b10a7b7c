import { z } from "zod";
import { maxEpisodeNumber, maxMalId } from "#app/domain/catalog/catalog.ts";
import type { HistoryEnd } from "#app/domain/library/library.server.ts";
import { readInstant } from "#app/platform/instant.ts";
import { timeInput } from "./input-aliases.server.ts";

/** A position in the watch history on the wire: an instant, alone or with the id of the last episode at that instant. */

type Watched = { malId: number; ep: number; watchedAt: Date };

export const watchedId = ({ malId, ep }: Pick<Watched, "malId" | "ep">) => `${malId}-${ep}`;

export const watchedIdInput = z
  .string()
  .trim()
  .regex(/^\d{1,10}-\d{1,6}$/, "must be the id of a watched episode")
  .transform((id) => {
    const [malId = 0, ep = 0] = id.split("-").map(Number);
    return { malId: Math.min(malId, maxMalId), ep: Math.min(ep, maxEpisodeNumber) };
  });

const withId = /^(.*),(\d+-\d+)$/s;
const parts = z.tuple([timeInput, watchedIdInput.nullable()]);

/**
 * The id follows the instant after a comma. The whole text is first tried as an instant: `…T10:00:00,5-04` ends with
 * its zone.
 */
export const historyEndInput = z.string().transform((text, checks): HistoryEnd => {
  const [, at = text, id = null] = (readInstant(text) === null && withId.exec(text)) || [];
  const { data, error } = parts.safeParse([at, id]);
  if (data) return { at: data[0], episode: data[1] };
  for (const { message } of error.issues) checks.addIssue({ code: "custom", message });
  return z.NEVER;
});

export const historyEndText = (last: Watched) => `${last.watchedAt.toISOString()},${watchedId(last)}`;

import { desc } from "drizzle-orm";
import { foldersOf } from "#app/domain/films/films.server.ts";
import { db } from "#db/client.server.ts";
import type { filmDecisionKinds } from "#db/schema/enumerations.ts";
import { filmDecisions } from "#db/schema/scanning.ts";

/** Operators' decisions about films and folders, in the form a scan needs. */

type Decision = {
  kind: (typeof filmDecisionKinds)[number];
  filmId: string | null;
  folder: string | null;
  malId: number | null;
  episode: number | null;
  lastEpisode: number | null;
  shift: number | null;
};

type AppliedDecision =
  | { kind: "title"; malId: number; episode: number; lastEpisode: number }
  | { kind: "special"; malId: number }
  | { kind: "folder-title"; malId: number; shift: number }
  | { kind: "ignored" };

export type Decisions = {
  of(film: { id: string; path: string }): { decided: AppliedDecision | null; notTitles: ReadonlySet<number> };
};

export async function readDecisions(): Promise<Decisions> {
  const rows: Decision[] = await db
    .select({
      kind: filmDecisions.kind,
      filmId: filmDecisions.filmId,
      folder: filmDecisions.folder,
      malId: filmDecisions.malId,
      episode: filmDecisions.episode,
      lastEpisode: filmDecisions.lastEpisode,
      shift: filmDecisions.shift,
    })
    .from(filmDecisions)
    .orderBy(desc(filmDecisions.decidedAt));
  const about = new Map<string, Decision[]>();
  for (const row of rows) {
    const key = row.filmId ?? `/${row.folder}`;
    about.set(key, [...(about.get(key) ?? []), row]);
  }
  return {
    of({ id, path }) {
      const nearest = [id, ...foldersOf(path).map((folder) => `/${folder}`)].flatMap(
        (key) => about.get(key) ?? [],
      );
      const deciding = nearest.find(({ kind }) => kind !== "not_title");
      const notTitles = nearest.filter(({ kind }) => kind === "not_title").map(({ malId }) => malId);
      return {
        decided: deciding ? toDecided(deciding) : null,
        notTitles: new Set(notTitles.filter((malId) => malId !== null)),
      };
    },
  };
}

function toDecided({ kind, malId, filmId, episode, lastEpisode, shift }: Decision): AppliedDecision {
  if (kind === "ignored" || malId === null) return { kind: "ignored" };
  if (filmId === null) return { kind: "folder-title", malId, shift: shift ?? 0 };
  if (episode === null) return { kind: "special", malId };
  return { kind: "title", malId, episode, lastEpisode: lastEpisode ?? episode };
}

import type { filmDecisionKinds, filmStates } from "#db/schema/enumerations.ts";

/** Types for undecided films, and the text that describes a decision. */

export type UndecidedFilm = {
  id: string;
  path: string;
  state: (typeof filmStates)[number];
  /** The title as read from the file name. */
  name: string;
  episode: number | null;
  lastEpisode: number | null;
  /** True for a special, which has no episode number. */
  isSpecial: boolean;
  /** The number of a file that is only a piece of a film or of an episode. */
  piece: number | null;
  reasons: readonly string[];
  /** The number is higher than the catalog's number of episodes of the match. */
  isBeyondMatch: boolean;
  match: { malId: number; title: string } | null;
};

export type UndecidedFolder = {
  folder: string;
  films: UndecidedFilm[];
  suggested: { malId: number; title: string } | null;
};

export type DecidedFilm = {
  id: string;
  kind: (typeof filmDecisionKinds)[number];
  path: string | null;
  folder: string | null;
  malId: number | null;
  title: string | null;
  episode: number | null;
  lastEpisode: number | null;
  shift: number | null;
  decidedAt: Date;
};

type DecisionFields = Pick<DecidedFilm, "kind" | "folder" | "title" | "episode" | "lastEpisode" | "shift">;

export function decisionText({ kind, folder, title, episode, lastEpisode, shift }: DecisionFields): string {
  if (kind === "ignored") return folder === null ? "Ignored" : "All ignored";
  if (kind === "not_title") return `Not ${title}`;
  if (folder === null) {
    if (episode === null) return `${title}, a special`;
    const episodes = episode === lastEpisode ? `episode ${episode}` : `episodes ${episode} to ${lastEpisode}`;
    return `${title}, ${episodes}`;
  }
  return `All are ${title}${shift ? `, numbers ${shift > 0 ? `+${shift}` : shift}` : ""}`;
}

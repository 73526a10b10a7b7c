import type { FoundFilm } from "#app/domain/films/films.server.ts";
import type { Decisions } from "../decisions.server.ts";
import { type FilmProposal, proposeFilms } from "../matching/proposals.server.ts";
import type { FilmState, Judged } from "./known-films.server.ts";

/**
 * Decides what the films of a folder are: by the operator's decision if there is one, otherwise by name and catalog.
 */

/** The proposal from a film's name, as stored in the database. */
export type StoredProposal = {
  malId: number | null;
  /** The title as read from the file name. */
  name: string;
  season: number | null;
  episode: number | null;
  lastEpisode: number | null;
  /** Missing in proposals of earlier versions. */
  isSpecial?: boolean;
  piece?: number | null;
  reasons: readonly string[];
};

/** Episodes of a title. */
export type EpisodeSpan = { malId: number; first: number; last: number };
export type FilmJudgement = Judged & { type: FoundFilm["type"]; source: EpisodeSpan | null };
type FoundSubtitles = { path: string; language: string; film: EpisodeSpan | null };

type Group = {
  /** All films and subtitles of one folder. Each can influence how the others are judged. */
  files: readonly FoundFilm[];
  /** The films to judge: path to id. */
  wanted: ReadonlyMap<string, string>;
  /** Films that an earlier scan registered: path to id. A new film beside them can contradict them. */
  registered: ReadonlyMap<string, string>;
  decisions: Decisions;
};

export async function judgeFilms({ files, wanted, registered, decisions }: Group) {
  const proposals = await proposeFilms(files, new Set());
  const filmCount = files.filter(({ type }) => type !== "captions").length;
  const films: FilmJudgement[] = [];
  const contradicted: FilmJudgement[] = [];
  const subtitles: FoundSubtitles[] = [];
  for (const proposal of proposals) {
    const { path, type } = proposal;
    const id = wanted.get(path);
    const registeredId = proposal.isContradicted ? registered.get(path) : undefined;
    if (type === "captions")
      subtitles.push({
        path,
        language: proposal.language ?? "und",
        film: proposal.state === "new" ? spanOf(proposal) : null,
      });
    else if (id !== undefined)
      films.push({ id, path, type, ...judge(proposal, decisions.of({ id, path }), filmCount) });
    else if (registeredId !== undefined) {
      const decision = decisions.of({ id: registeredId, path });
      if (decision.decided === null)
        contradicted.push({ id: registeredId, path, type, ...judge(proposal, decision, filmCount) });
    }
  }
  return { films, subtitles, contradicted };
}

function spanOf({ match, episode, lastEpisode }: FilmProposal): EpisodeSpan | null {
  if (!match) return null;
  const first = episode ?? 1;
  return { malId: match.malId, first, last: lastEpisode ?? first };
}

type StateJudgement = { state: FilmState; proposal: StoredProposal; source: EpisodeSpan | null };

function judge(
  proposal: FilmProposal,
  { decided, notTitles }: ReturnType<Decisions["of"]>,
  filmCount: number,
): StateJudgement {
  const read = storedOf(proposal);
  if (decided?.kind === "ignored") return { state: "ignored", proposal: read, source: null };
  if (decided?.kind === "title") {
    const { malId, episode: first, lastEpisode: last } = decided;
    return { state: "registered", proposal: read, source: { malId, first, last } };
  }
  if (decided?.kind === "special") {
    const special = { ...read, malId: decided.malId, isSpecial: true, reasons: [] };
    return { state: "extra", proposal: special, source: null };
  }
  if (decided?.kind === "folder-title") return judgeInFolder(proposal, decided, filmCount);
  if (read.malId !== null && notTitles.has(read.malId)) {
    const reasons = [`an operator said that it is not ${proposal.match?.title ?? "this title"}`];
    return { state: "unsure", proposal: { ...read, malId: null, reasons }, source: null };
  }
  const state = proposal.state === "new" ? "registered" : proposal.state;
  return { state, proposal: read, source: state === "registered" ? spanOf(proposal) : null };
}

/** The folder's title is decided; each file name supplies the episode number. */
function judgeInFolder(
  proposal: FilmProposal,
  { malId, shift }: { malId: number; shift: number },
  filmCount: number,
): StateJudgement {
  const read = { ...storedOf(proposal), malId };
  if (proposal.state === "extra") return { state: "extra", proposal: read, source: null };
  const isSpecial = proposal.isSpecial && proposal.match?.malId === malId;
  const episode = isSpecial ? null : (proposal.number ?? (filmCount === 1 ? 1 : null));
  const first = episode === null ? null : episode + shift;
  if (first === null || first < 1 || proposal.piece !== null) {
    const why =
      proposal.piece === null
        ? "its name says no number of an episode"
        : `it is part ${proposal.piece} of one`;
    return {
      state: "unsure",
      proposal: { ...read, reasons: [`the title of its folder is decided, but ${why}`] },
      source: null,
    };
  }
  const last = Math.max(first, (proposal.lastEpisode ?? first - shift) + shift);
  return { state: "registered", proposal: { ...read, reasons: [] }, source: { malId, first, last } };
}

const storedOf = (proposal: FilmProposal): StoredProposal => {
  const { match, title, season, episode, lastEpisode, isSpecial, piece, reasons } = proposal;
  return {
    malId: match?.malId ?? null,
    name: title,
    season,
    episode,
    lastEpisode,
    isSpecial,
    piece,
    reasons,
  };
};

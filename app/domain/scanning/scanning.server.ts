/** The door of scanning on the server: names, matches, decisions, hooks and scans of the operator's films. */

export { decideFilm, undoDecision, wholeRootRefusal } from "./deciding/decide.server.ts";
export { moveSourcesToTitle } from "./deciding/move-sources.server.ts";
export {
  countUndecidedFilms,
  findFilmsToDecide,
  listDecisions,
  listUndecidedFilms,
} from "./deciding/undecided-films.server.ts";
export { findTitleInNotes, readFolderFacts } from "./folder-facts/folder-facts.server.ts";
export {
  isHookSecret,
  listHookSecrets,
  makeHookSecret,
  revokeHookSecret,
} from "./hooks/hook-secrets.server.ts";
export { hearOfFiles } from "./hooks/named-folders.server.ts";
export { type FilmProposal, proposeFilms } from "./matching/proposals.server.ts";
export { runRequestedScans, scanLibrary } from "./scan/library-scan.server.ts";
export { startScanning, wakeScanner } from "./scan/scan-schedule.server.ts";
export { folderEventsText } from "./scan/watched-folder.server.ts";
